import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULTS, homeAt } from '../src/config/index.ts'
import { embeddedDreamer, mayDream } from '../src/dream/index.ts'
import { Memory } from '../src/memory/index.ts'
import { printTable, round } from './report.ts'

/** What is asked after every turn when the last dream was an hour ago, over the bare `stat` that it cannot do without. */
const ROUNDS = 10
/** So many in a row that a clock that moves in steps of 20 ms, as those of some virtual machines do, still tells them apart. */
const CALLS = 30_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const root = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p' }]
  try {
    using memory = await Memory.open({ home, project })
    const directory = memory.place('project')
    mkdirSync(directory, { recursive: true })
    const lock = join(directory, '.consolidate-lock')
    writeFileSync(lock, '')
    const context = { home, project, memory, config: DEFAULTS, dreamer: embeddedDreamer }
    const times = { 'bare stat': [] as number[], gate: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      times['bare stat'].push(await microseconds(() => void statSync(lock)))
      times.gate.push(
        await microseconds(async () => {
          const answer = await mayDream(context)
          if (answer.open || answer.gate !== 'time') throw new Error('the gate is not closed by time')
        }),
      )
    }
    const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
    const bare = mean(times['bare stat'])
    const rows = Object.entries(times).map(([what, all]) => ({
      what,
      'mean µs': round(mean(all), 1),
      'over bare stat': round(mean(all) / bare),
    }))
    if (values.json) console.log(JSON.stringify(rows))
    else printTable(`The dream gate when it is closed by time, ${ROUNDS * CALLS} calls`, rows)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function microseconds(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < CALLS; call++) await work()
  return ((performance.now() - start) * 1000) / CALLS
}
