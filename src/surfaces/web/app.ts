/** The page and its API, to be mounted on a server. */
import { Hono } from 'hono'
import { z } from 'zod'
import { Sessions } from '../../session/index.ts'
import { refuse, sameOriginOnly } from '../http/index.ts'
import { entrance, visitorsOnly } from './access.ts'
import { backgroundApi } from './api/background.ts'
import { chatApi } from './api/chat.ts'
import { cronApi } from './api/cron.ts'
import { dreamsApi } from './api/dreams.ts'
import { memoryApi } from './api/memory.ts'
import { queryOf } from './api/request.ts'
import { sessionsApi } from './api/sessions.ts'
import { settingsApi } from './api/settings.ts'
import { tasksApi } from './api/tasks.ts'
import type { Door } from './door.ts'
import { type PageFiles, servePage } from './page-files.ts'
import type { Place } from './place.ts'
import { UsageOf } from './usage.ts'

export interface PageAppOptions {
  place: Place
  door: Door
  files: PageFiles
  /** A link that lets another browser in. */
  makeLink(): string
}

export function pageApp({ place, door, files, makeLink }: PageAppOptions): Hono {
  const app = new Hono()
  app.route('/', entrance(door))
  app.use(visitorsOnly(door))
  app.route('/api', api(place, door, makeLink))
  app.get('*', servePage(files))
  return app
}

const follow = z.object({ after: z.string().optional(), session: z.string().optional() })

function api(place: Place, door: Door, makeLink: () => string): Hono {
  const app = new Hono()
  const { home, project } = place.options
  app.use(sameOriginOnly())
  app.use(async (context, next) => {
    await next()
    context.header('Cache-Control', 'no-store')
  })
  app.route('/memory', memoryApi(place))
  app.route('/dreams', dreamsApi(place))
  app.route('/sessions', sessionsApi(place))
  app.route('/tasks', tasksApi(place))
  app.route('/cron', cronApi(place))
  app.route('/background', backgroundApi(place))
  app.route('/chat', chatApi(place))
  app.route('/settings', settingsApi(place))
  const usage = new UsageOf(new Sessions(home, project))
  app.get('/usage', async context => context.json(await usage.report()))
  app.get('/events', context => {
    const { after, session } = queryOf(context, follow)
    return place.events.read({ after: context.req.header('last-event-id') ?? after, session })
  })
  app.post('/links', context => context.json({ url: makeLink() }, 201))
  app.delete('/visitors', async context => {
    await door.sendAllAway()
    return context.json({})
  })
  app.all('*', context => refuse(context, 404, 'There is nothing at this address.'))
  return app
}
