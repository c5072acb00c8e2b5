import { homeAt } from '../../src/config/index.ts'
import { ownIdentity } from '../../src/store/index.ts'
import { NoSuchTask, TaskList, TaskRefused, TasksBusy } from '../../src/work/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

const WORKERS = ['ann', 'ben', 'cleo']
/** A list is begun anew when it is this long, so that looking at all of it stays cheap. */
const MOST = 60

const open = (directory: string) => new TaskList(homeAt(directory), { slug: 'p' })

/** Tasks that wait for each other, made, claimed and completed: none is lost, held by the dead, or undone. */
export const scenario: Scenario = {
  name: 'claims',

  async child(directory, acknowledge) {
    const tasks = open(directory)
    const step = async (name: string) => {
      const owner = { name, process: ownIdentity() }
      const { tasks: all } = await tasks.list()
      if (all.length < MOST) {
        const before = all.findLast(({ status }) => status !== 'completed')?.id
        const { id } = await tasks.create({ subject: name, ...(before && { blockedBy: [before] }) })
        acknowledge(`created ${id} ${before ?? ''}`)
      } else
        for (const { id } of all.filter(({ status }) => status === 'completed')) {
          acknowledge(`deleted ${id}`) // it may be, from here on
          await tasks.delete(id)
        }
      const next = all.find(({ ready }) => ready)
      if (!next || !(await tasks.claim(next.id, owner)).claimed) return
      acknowledge(`claimed ${next.id} ${name}`)
      await tasks.complete(next.id, owner)
      acknowledge(`completed ${next.id} ${name}`)
    }
    const work = async (name: string) => {
      for (;;)
        await step(name).catch(error => {
          // Another worker was faster, or takes its time.
          if (![TaskRefused, NoSuchTask, TasksBusy].some(kind => error instanceof kind)) throw error
        })
    }
    await Promise.all(WORKERS.map(work))
  },

  async check(directory, acknowledged) {
    const tasks = open(directory)
    const { tasks: all, problems } = await tasks.list()
    assertRule(problems.length === 0, `every file can be read: ${JSON.stringify(problems)}`)
    const known = new Map(all.map(task => [task.id, task]))
    const created = acknowledged.filter(record => record.startsWith('created')).map(idIn)
    const completed = new Set(acknowledged.filter(record => record.startsWith('completed')).map(idIn))
    const deleted = new Set(acknowledged.filter(record => record.startsWith('deleted')).map(idIn))
    for (const id of created)
      assertRule(known.has(id) || deleted.has(id), `task ${id}, which was made, is there or was deleted`)
    for (const id of completed) {
      const status = known.get(id)?.status ?? 'completed'
      assertRule(status === 'completed', `task ${id} was completed and is ${status}`)
    }
    for (const { id, status, blocks, blockedBy } of all) {
      assertRule(status !== 'in_progress', `task ${id} is held by nobody who is dead`)
      for (const other of blocks)
        assertRule(known.get(other)?.blockedBy.includes(id) === true, `${id} blocks ${other}, and back`)
      for (const other of blockedBy)
        assertRule(known.get(other)?.blocks.includes(id) === true, `${id} waits for ${other}, and back`)
    }
    const [free] = all.filter(({ ready }) => ready)
    if (free) assertRule((await tasks.claim(free.id, { name: 'judge' })).claimed, `${free.id} can be claimed`)
    if (free) await tasks.update(free.id, { status: 'pending' })
  },
}

function idIn(record: string): number {
  return Number(record.split(' ')[1])
}
