/** Two agents change the same files in random sequences: no edit that was acknowledged is lost without a word. */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { play, step } from './edits/play.ts'
import { assertRule } from './kill/scenario.ts'

const SEQUENCES = 1_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string' }, seed: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  process.stdout.write(`edits: ${await editTogether(Number(values.count ?? SEQUENCES), seed)}\n`)
}

export async function editTogether(count: number, seed: number): Promise<string> {
  let [edits, refusals] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async steps => {
      const { lost, made, refused } = await play(steps)
      assertRule(lost.length === 0, `no acknowledged edit is lost: ${lost.join(', ')}`)
      edits += made
      refusals += refused
    }),
    { numRuns: count, seed },
  )
  return `${count} random sequences by two agents, seed ${seed}: ${edits} edits made, ${refusals} refused with a reason, none lost`
}
