/** Time and memory of one search among many memories, beside MiniSearch on the same documents. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Engine, Measured, Step } from './recall-engine.ts'

const ENGINE_SCRIPT = fileURLToPath(new URL('./recall-engine.ts', import.meta.url))
const DEFAULT_COUNT = '100000'
const PEERS: Engine[] = ['minisearch', 'minisearch-stemmed']

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: DEFAULT_COUNT }, json: { type: 'boolean' } },
  })
  const count = Number(values.count)
  const directory = mkdtempSync(join(tmpdir(), 'reverie-latency-'))
  try {
    const file = join(directory, 'index.db')
    const built = inOwnProcess('reverie', 'build', count, file)
    const reverie = { ...inOwnProcess('reverie', 'query', count, file), buildMs: built.buildMs }
    const results = new Map<Engine, Measured>([['reverie', reverie]])
    for (const peer of PEERS) results.set(peer, inOwnProcess(peer, 'query', count, file))
    process.stdout.write(
      values.json ? `${JSON.stringify({ count, ...Object.fromEntries(results) })}\n` : table(count, results),
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function inOwnProcess(engine: Engine, step: Step, count: number, file: string): Measured {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', ENGINE_SCRIPT, engine, step, String(count), file],
    {
      encoding: 'utf8',
    },
  )
  if (child.status !== 0) throw new Error(`${engine} did not finish: ${child.stderr}`)
  return JSON.parse(child.stdout) as Measured
}

function table(count: number, results: Map<Engine, Measured>): string {
  const lines = [`${`${count} memories`.padEnd(24)}  build s    p50 ms    p99 ms    RSS MB`]
  for (const [engine, { buildMs, p50ms, p99ms, rssMB }] of results) {
    const figures = [(buildMs / 1000).toFixed(1), p50ms.toFixed(2), p99ms.toFixed(2), rssMB.toFixed(0)]
    lines.push(engine.padEnd(24) + figures.map(figure => figure.padStart(10)).join(''))
  }
  lines.push(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`)
  return `${lines.join('\n')}\n`
}
