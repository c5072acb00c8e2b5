/** Generated bad input, by the hundred thousand: a clear error or a clean skip, never a crash, a loss or an escape. */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { randomFrom } from './random.ts'

const INPUTS = 100_000
const SUFFIX = '.input.ts'

/** One kind of input; one file per kind in `input/`, exporting `feed`. Throws at a broken rule. */
export type Feed = (count: number, random: () => number) => Promise<string>

export function inputNames(): string[] {
  const files = readdirSync(new URL('input/', import.meta.url))
  return files.filter(file => file.endsWith(SUFFIX)).map(file => file.slice(0, -SUFFIX.length))
}

export async function feedWith(name: string, count: number, seed: number): Promise<string> {
  const { feed } = (await import(`./input/${name}.input.ts`)) as { feed: Feed }
  return feed(count, randomFrom(seed))
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string' }, seed: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const count = Number(values.count ?? INPUTS)
  for (const name of inputNames()) {
    const start = performance.now()
    const told = await feedWith(name, count, seed)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    process.stdout.write(`${name}: ${count} inputs, seed ${seed}: ${told}, ${seconds} s\n`)
  }
}
