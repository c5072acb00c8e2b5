import { userInfo } from 'node:os'
import { Hono } from 'hono'
import { z } from 'zod'
import { ReverieError } from '../../../store/index.ts'
import { isTaskId, TASK_STATUSES, type TaskList } from '../../../work/index.ts'
import { openTasks } from '../../actions/tasks.ts'
import type { Place } from '../place.ts'
import { bodyOf, pathPart } from './request.ts'

const ids = z.array(z.int().positive())
const draft = z.strictObject({
  subject: z.string().trim().min(1),
  description: z.string().optional(),
  blockedBy: ids.optional(),
})
const changes = z.strictObject({
  subject: z.string().trim().min(1).optional(),
  description: z.string().optional(),
  status: z.enum(TASK_STATUSES).optional(),
  addBlockedBy: ids.optional(),
  removeBlockedBy: ids.optional(),
})

class NoSuchTask extends ReverieError {}

export function tasksApi(place: Place): Hono {
  const app = new Hono()
  const open = () => openTasks(place.options, { tell: text => place.options.log(text) })
  const change = async <T>(work: (tasks: TaskList) => Promise<T>): Promise<T> => {
    const done = await work(await open())
    place.changed('tasks')
    return done
  }
  app.get('/', async context => {
    const { tasks, problems } = await (await open()).list()
    return context.json({ tasks: tasks.map(withoutProcess), problems })
  })
  app.post('/', async context => {
    const wanted = await bodyOf(context, draft)
    return context.json(withoutProcess(await change(tasks => tasks.create(wanted))), 201)
  })
  app.patch('/:id', async context => {
    const [id, wanted] = [idOf(pathPart(context, 'id')), await bodyOf(context, changes)]
    await change(tasks => tasks.update(id, wanted, owner()))
    return context.json(withoutProcess(await (await open()).get(id)))
  })
  app.post('/:id/complete', async context => {
    const id = idOf(pathPart(context, 'id'))
    const { unblocked } = await change(tasks => tasks.complete(id))
    return context.json({ id, unblocked })
  })
  app.delete('/:id', async context => {
    const id = idOf(pathPart(context, 'id'))
    await change(tasks => tasks.delete(id))
    return context.json({ id })
  })
  return app
}

function owner() {
  return { name: userInfo().username }
}

function idOf(text: string): number {
  const id = Number(text)
  if (!isTaskId(id)) throw new NoSuchTask(`"${text}" is not the number of a task.`)
  return id
}

function withoutProcess<T extends object>(task: T): Omit<T, 'process'> {
  const { process: _, ...told } = task as T & { process?: unknown }
  return told
}
