/** One of the processes that share a list: `node worker.ts HOME NAME SEED`. Ends when every task is completed. */
import { appendFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { homeAt } from '../../src/config/index.ts'
import { ownIdentity } from '../../src/store/index.ts'
import { TaskList, TasksBusy } from '../../src/work/index.ts'
import { oneOf, randomFrom } from '../random.ts'

const LONGEST_WORK_MS = 20
const IDLE_MS = 20

const [directory = '', name = '', seed = ''] = process.argv.slice(2)
const random = randomFrom(Number(seed))
const list = new TaskList(homeAt(directory), { slug: 'p' })
const owner = { name, process: ownIdentity() }
/** One write each, so that lines of different processes do not mix. */
const tell = (what: string, id: number) =>
  appendFileSync(join(directory, 'record'), `${what} ${id} ${process.pid}\n`)

writeSync(1, 'here\n')
for (;;) {
  const { tasks } = await list.list()
  const ready = tasks.filter(task => task.ready)
  if (tasks.every(task => task.status === 'completed')) break
  if (ready.length === 0) await sleep(random() * IDLE_MS)
  // Several of one look, so that the looking does not take all the time; others may have been faster.
  for (let tries = 0; tries < 5 && ready.length > 0; tries++) await work(oneOf(random, ready).id)
}

async function work(id: number): Promise<void> {
  const claim = await patiently(() => list.claim(id, owner))
  if (!claim.claimed) return tell(claim.reason, id)
  tell('enter', id)
  await sleep(random() * LONGEST_WORK_MS)
  tell('leave', id)
  await patiently(() => list.complete(id, owner))
  tell('completed', id)
}

async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof TasksBusy)) throw error
      tell('waited', 0)
    }
  }
}
