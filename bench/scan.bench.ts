import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { writeMemoryFiles } from './memory-files.ts'
import { MemoryWriter } from './recall-memories.ts'
import { percentile, printTable, round } from './report.ts'

/** Listing and recalling when nothing changed, over stat-ing every file; taken in turn so that noise hits all alike. */
const ROUNDS = 30

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '10000' }, json: { type: 'boolean' } },
  })
  const count = Number(values.count)
  const root = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const directory = join(root, 'memory')
    writeMemoryFiles(directory, count)
    const start = performance.now()
    using memory = await openMemory({ home: join(root, 'home'), project: root, memoryDir: directory })
    const found = (await memory.list()).length
    const coldMs = performance.now() - start
    if (found !== count) throw new Error(`${count} files were written, ${found} listed`)
    const questions = new MemoryWriter(11)
    const times = await inTurn({
      'stat every file': async () => statAll(directory),
      list: () => memory.list(),
      recall: round => memory.recall(questions.question(round)),
    })
    const bare = percentile(times.get('stat every file') ?? [], 0.5)
    const rows = [...times].map(([what, all]) => {
      const median = percentile(all, 0.5)
      return { what, 'median ms': round(median, 1), 'over stat': round(median / bare) }
    })
    if (values.json) console.log(JSON.stringify({ count, coldMs: round(coldMs, 0), rows }))
    else printTable(`${count} memories, nothing changed (cold build ${round(coldMs, 0)} ms)`, rows)
  } finally {
    rmSync(root, { recursive: true })
  }
}

function statAll(directory: string): void {
  for (const name of readdirSync(directory)) statSync(join(directory, name))
}

async function inTurn(
  acts: Record<string, (round: number) => Promise<unknown>>,
): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(acts).map(name => [name, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, act] of Object.entries(acts)) {
      const start = performance.now()
      await act(round)
      if (round > 0) times.get(name)?.push(performance.now() - start)
    }
  }
  return times
}
