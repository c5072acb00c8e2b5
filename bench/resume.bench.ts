/** Taking up a session of 1 GB, over reading and parsing just what is live of it; each in a process of its own. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { homeAt } from '../src/config/index.ts'
import { Sessions } from '../src/session/index.ts'
import { readJsonlBackwards } from '../src/store/index.ts'
import { percentile, printTable, round } from './report.ts'
import { writeSessionFile } from './session-files.ts'

const ROUNDS = 25
const HERE = fileURLToPath(import.meta.url)

type What = 'nothing' | 'plain' | 'resume'
type Measured = { plainMs: number[]; resumeMs: number[] } | { rssMB: number }

if (process.argv[2] === 'measure') {
  const [what = '', root = '', from = '0'] = process.argv.slice(3)
  const measured =
    what === 'times' ? await times(root, Number(from)) : await memory(what as What, root, Number(from))
  process.stdout.write(JSON.stringify(measured))
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      mb: { type: 'string', default: '1000' },
      live: { type: 'string', default: '2' },
      json: { type: 'boolean' },
    },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-resume-'))
  try {
    const path = sessionsIn(root).pathOf('large')
    await writeSessionFile(path, {
      megabytes: Number(values.mb),
      seed: 7,
      liveMegabytes: Number(values.live),
    })
    const from = await boundaryOffset(path)
    const { plainMs, resumeMs } = inProcess<{ plainMs: number[]; resumeMs: number[] }>('times', root, from)
    const rss = (what: What) => inProcess<{ rssMB: number }>(what, root, from).rssMB
    const baseline = rss('nothing')
    const rows = [
      { what: 'read and parse the live part', times: plainMs, rssMB: rss('plain') },
      { what: 'resume', times: resumeMs, rssMB: rss('resume') },
    ].map(({ what, times, rssMB }) => ({
      what,
      'median ms': round(percentile(times, 0.5), 1),
      'first ms': round(times[0] ?? Number.NaN, 1),
      'RSS above baseline MB': round(rssMB - baseline, 1),
    }))
    const ratio = round(percentile(resumeMs, 0.5) / percentile(plainMs, 0.5))
    const liveMB = round((statSync(path).size - from) / 1e6, 2)
    if (values.json) console.log(JSON.stringify({ megabytes: Number(values.mb), liveMB, ratio, rows }))
    else printTable(`${values.mb} MB, ${liveMB} MB of it live: resume takes ${ratio}x`, rows)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function sessionsIn(root: string): Sessions {
  return new Sessions(homeAt(join(root, 'home')), { slug: 'bench' })
}

function inProcess<T extends Measured>(what: What | 'times', root: string, from: number): T {
  return JSON.parse(
    execFileSync(process.execPath, [HERE, 'measure', what, root, String(from)]).toString(),
  ) as T
}

/** In turn, so that whatever else the machine does hits both alike. */
async function times(root: string, from: number): Promise<Measured> {
  const sessions = sessionsIn(root)
  const [plainMs, resumeMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    plainLive(sessions.pathOf('large'), from)
    const between = performance.now()
    const { transcript } = await sessions.resume('large')
    resumeMs.push(performance.now() - between)
    plainMs.push(between - start)
    await transcript.close()
  }
  return { plainMs, resumeMs }
}

async function memory(what: What, root: string, from: number): Promise<Measured> {
  const sessions = sessionsIn(root)
  const kept: unknown[] = []
  if (what === 'plain') kept.push(plainLive(sessions.pathOf('large'), from))
  if (what === 'resume') {
    const { transcript, resumed } = await sessions.resume('large')
    kept.push(resumed.messages)
    await transcript.close()
  }
  return { rssMB: process.memoryUsage.rss() / 2 ** 20 }
}

/** What cannot be avoided: the bytes from the boundary on, and JSON.parse. */
function plainLive(path: string, from: number): unknown[] {
  const bytes = Buffer.alloc(statSync(path).size - from)
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, bytes.length, from)
  closeSync(file)
  const records = bytes
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { kind: string })
  return records.filter(({ kind }) => kind === 'message')
}

async function boundaryOffset(path: string): Promise<number> {
  for await (const lines of readJsonlBackwards(path)) {
    const boundary = Iterator.from(lines).find(
      ({ value }) => (value as { kind?: string } | undefined)?.kind === 'boundary',
    )
    if (boundary) return boundary.offset
  }
  return 0
}
