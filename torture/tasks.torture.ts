/** Many processes do one list of tasks that wait for each other, and some are killed: nothing is done twice at a time. */
import { parseArgs } from 'node:util'
import { crowd } from './tasks/crowd.ts'

const PROCESSES = 10
const TASKS = 1_000
const KILLS = 100

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ count: { type: 'string' }, seed: { type: 'string' } },
      ...{ processes: { type: 'string' }, kills: { type: 'string' } },
    },
  })
  const options = {
    processes: Number(values.processes ?? PROCESSES),
    tasks: Number(values.count ?? TASKS),
    kills: Number(values.kills ?? KILLS),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
  }
  const { counts, violations, kills, ms } = await crowd(options)
  const told = [...counts].map(([what, count]) => `  ${what}: ${count}`).sort()
  process.stdout.write(
    `${[
      `tasks: ${options.tasks} tasks, ${options.processes} processes, ${kills} kills, seed ${options.seed}, ${(ms / 1000).toFixed(1)} s`,
      ...told,
      `violations: ${violations.length}`,
      ...violations.slice(0, 20),
    ].join('\n')}\n`,
  )
  if (violations.length > 0) process.exitCode = 1
}
