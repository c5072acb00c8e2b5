import { Hono } from 'hono'
import { z } from 'zod'
import { because } from '../../../store/index.ts'
import type { Place } from '../place.ts'
import { bodyOf, pathPart } from './request.ts'

const draft = z.strictObject({
  prompt: z.string().trim().min(1),
  cron: z.string().optional(),
  every: z.string().optional(),
  in: z.string().optional(),
  at: z.string().optional(),
})

/** How far the calendar looks, and how many starts of one job it shows. */
const DAYS_AHEAD = 35
const MOST_STARTS = 150
const RUNS_SHOWN = 50
const DAY_MS = 24 * 60 * 60 * 1000

export function cronApi(place: Place): Hono {
  const app = new Hono()
  const { schedule, ledger } = place.scheduling
  app.get('/', context => {
    const { jobs, problems } = schedule.list()
    const until = new Date(Date.now() + DAYS_AHEAD * DAY_MS)
    const runs = ledger.runs().slice(-RUNS_SHOWN).reverse()
    return context.json({
      jobs: jobs.map(job => ({
        ...job,
        starts: schedule.startsUntil(job.id, until, MOST_STARTS).map(start => start.toISOString()),
      })),
      runs: runs.map(({ owner, ...run }) => ({ ...run, session: owner.session ?? null })),
      problems,
      timeZone: schedule.timeZone,
      until: until.toISOString(),
    })
  })
  app.post('/', async context => {
    const wanted = await bodyOf(context, draft)
    const job = await schedule.add({ ...wanted, madeBy: 'person', durable: true })
    place.changed('cron')
    return context.json(job, 201)
  })
  app.post('/:id/run', context => {
    const id = pathPart(context, 'id')
    schedule.get(id)
    // It may take minutes: that it began, and what came of it, is in the ledger.
    void place.scheduling
      .runNow(id, place.ending)
      .catch(error => place.options.log(`Job ${id}: ${because(error)}`))
      .finally(() => place.changed('cron'))
    return context.json({ id }, 202)
  })
  app.delete('/:id', async context => {
    const id = pathPart(context, 'id')
    await schedule.remove(id)
    place.changed('cron')
    return context.json({ id })
  })
  return app
}
