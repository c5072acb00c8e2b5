import { Hono } from 'hono'
import { z } from 'zod'
import { backgroundDirectory, isFinal, readOutput, TaskRecords } from '../../../work/index.ts'
import type { Place } from '../place.ts'
import { pathPart, queryOf } from './request.ts'

const SHOWN = 100
const from = z.object({ from: z.coerce.number().int().nonnegative().optional() })

export function backgroundApi(place: Place): Hono {
  const app = new Hono()
  const { home, project } = place.options
  const records = new TaskRecords(backgroundDirectory(home, project))
  app.get('/', async context => {
    const tasks = (await records.list()).reverse().slice(0, SHOWN)
    return context.json(tasks.map(({ owner, ...task }) => ({ ...task, pid: owner.pid })))
  })
  app.get('/:id/output', async context => {
    const { outputFile, status } = await records.find(pathPart(context, 'id'))
    return context.json(
      await readOutput(outputFile, { from: queryOf(context, from).from, growing: !isFinal(status) }),
    )
  })
  app.post('/:id/stop', async context => {
    const { owner: _, ...task } = await records.stopElsewhere(pathPart(context, 'id'))
    place.changed('background')
    return context.json(task)
  })
  return app
}
