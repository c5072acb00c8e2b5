/** Kills a working process at random instants and checks what is left; scenarios are in `kill/`. */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { killAtRandom } from './kill/harness.ts'
import { canTrace, traceOrder } from './kill/trace.ts'

const KILLS = 500
const SUFFIX = '.scenario.ts'

export function scenarioNames(): string[] {
  const files = readdirSync(new URL('kill/', import.meta.url))
  return files.filter(file => file.endsWith(SUFFIX)).map(file => file.slice(0, -SUFFIX.length))
}

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { count: { type: 'string' }, seed: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const kills = Number(values.count ?? KILLS)
  const names = scenarioNames().filter(name => positionals.length === 0 || positionals.includes(name))
  process.stdout.write(`kill: ${kills} kills of each of ${names.join(', ')}; seed ${seed}\n`)
  for (const name of names) {
    const result = await killAtRandom(name, { kills, seed })
    const seconds = (result.ms / 1000).toFixed(1)
    process.stdout.write(
      `${name}: ${result.kills} kills, ${result.acknowledged} acknowledged, all found, ${seconds} s\n`,
    )
  }
  if (!canTrace()) {
    process.stdout.write('ORDER OF SYNCS NOT CHECKED: strace is not installed\n')
    return
  }
  for (const name of names) {
    const { calls, broken } = await traceOrder(name)
    process.stdout.write(`${name}: order of ${calls} traced calls: ${broken.join('; ') || 'as it must be'}\n`)
    if (broken.length > 0) process.exitCode = 1
  }
}
