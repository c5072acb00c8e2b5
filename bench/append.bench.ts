/** One message, on the disk when it returns: in a session of 1 GB, over the same in an empty one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { homeAt } from '../src/config/index.ts'
import { type Message, newMessageId, Sessions, type Transcript } from '../src/session/index.ts'
import { percentile, printTable, round } from './report.ts'
import { writeSessionFile } from './session-files.ts'

const ROUNDS = 400
const WARM_UP = 20

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { mb: { type: 'string', default: '1000' }, json: { type: 'boolean' } },
  })
  const megabytes = Number(values.mb)
  const root = mkdtempSync(join(tmpdir(), 'reverie-append-'))
  try {
    const sessions = new Sessions(homeAt(join(root, 'home')), { slug: 'bench' })
    await writeSessionFile(sessions.pathOf('large'), { megabytes, seed: 7, liveMegabytes: 2 })
    const start = performance.now()
    const { transcript: large } = await sessions.resume('large')
    const resumeMs = performance.now() - start
    const empty = sessions.create()
    const times = await inTurn({ empty, large })
    await large.close()
    await empty.close()
    const rows = [...times].map(([what, all]) => ({
      session: what === 'large' ? `${megabytes} MB` : 'empty',
      'p50 ms': round(percentile(all, 0.5), 3),
      'p95 ms': round(percentile(all, 0.95), 3),
    }))
    const ratio = round(percentile(times.get('large') ?? [], 0.5) / percentile(times.get('empty') ?? [], 0.5))
    if (values.json) console.log(JSON.stringify({ megabytes, ratio, rows }))
    else
      printTable(
        `one message appended and synced: ${ratio}x (the large session was taken up in ${round(resumeMs, 0)} ms)`,
        rows,
      )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** One after the other, so that whatever else the machine does hits both alike. */
async function inTurn(transcripts: Record<string, Transcript>): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(transcripts).map(name => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [name, transcript] of Object.entries(transcripts)) {
      const message: Message = {
        id: newMessageId(),
        role: 'user',
        origin: 'person',
        at: new Date().toISOString(),
        parts: [{ type: 'text', text: 'How do we deploy this to the staging server? '.repeat(10) }],
      }
      const start = performance.now()
      await transcript.append(message)
      if (round >= WARM_UP) times.get(name)?.push(performance.now() - start)
    }
  }
  return times
}
