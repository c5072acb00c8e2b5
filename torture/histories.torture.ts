/** Generated histories of the run ledger and of the queue: ticks, crashes between any two writes, claims, cancellations. */
import { parseArgs } from 'node:util'
import { playQueueHistories } from '../src/work/queue/histories.fixture.ts'
import { playHistories } from '../src/work/runs/histories.fixture.ts'

const HISTORIES = 200_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string' }, seed: { type: 'string' } },
  })
  const count = Number(values.count ?? HISTORIES)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const ledger = performance.now()
  await playHistories(count, seed)
  const queue = performance.now()
  const cancelled = playQueueHistories(count, seed)
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
  process.stdout.write(
    `${[
      `histories: ${count} of each, seed ${seed}, no rule broken`,
      `  ledger: ${seconds(ledger, queue)} s`,
      `  queue: ${seconds(queue, performance.now())} s, ${cancelled} cancelled while they were about to be heard`,
    ].join('\n')}\n`,
  )
}
