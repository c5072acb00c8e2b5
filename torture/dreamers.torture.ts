/** Many processes are told to dream at once; never two of them may be inside. */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dreamPlace, startTogether } from './dreamers/together.ts'

const STARTS = 200

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string' } } })
  const count = Number(values.count ?? STARTS)
  const { directory } = await dreamPlace()
  const { outcomes, most } = await startTogether(directory, count)
  const dreamt = outcomes.filter(({ status }) => status === 'done').length
  const locked = outcomes.filter(({ gate }) => gate === 'lock').length
  const failed = outcomes.filter(({ failed }) => failed !== undefined)
  process.stdout.write(
    `dreamers: ${count} starts at once, ${dreamt} dreamt one after the other, ${locked} heard of the lock, ${failed.length} failed; inside at the same time: ${most} at most\n`,
  )
  for (const { failed: why } of failed.slice(0, 5)) process.stdout.write(`${why}\n`)
  if (most > 1 || failed.length > 0) process.exitCode = 1
  rmSync(directory, { recursive: true, force: true })
}
