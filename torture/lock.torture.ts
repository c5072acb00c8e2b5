/** Many processes race for one lock; nobody may ever meet another inside. */
import { parseArgs } from 'node:util'
import { race } from './lock/race.ts'

const PROCESSES = 8
const RACES = 2_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string' }, seed: { type: 'string' }, processes: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const options = {
    processes: Number(values.processes ?? PROCESSES),
    races: Number(values.count ?? RACES),
    seed,
  }
  const result = await race(options)
  const endings = [...result.endings].map(([ending, count]) => `  ${ending}: ${count}`).sort()
  process.stdout.write(
    `${[
      `lock: ${options.processes} processes x ${options.races} races, seed ${seed}, ${(result.ms / 1000).toFixed(1)} s`,
      `held ${result.sections} times, ${result.cutShort} of them ended by a kill; how they ended:`,
      ...endings,
      `stopped (SIGSTOP) ${result.pauses} times, killed from outside ${result.outsideKills} times`,
      `violations: ${result.violations.length}`,
      ...result.violations.slice(0, 20),
    ].join('\n')}\n`,
  )
  if (result.violations.length > 0) process.exitCode = 1
}
