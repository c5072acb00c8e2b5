import { Hono } from 'hono'
import { z } from 'zod'
import { type Message, Sessions } from '../../../session/index.ts'
import { itemsOf } from '../history-items.ts'
import type { Place } from '../place.ts'
import { bodyOf, pathPart, queryOf } from './request.ts'

/** Messages of a session that are told at a time. */
const MESSAGES_AT_ONCE = 200
const search = z.object({
  q: z.string().min(1),
  everywhere: z.stringbool().default(false),
  role: z.enum(['user', 'assistant', 'tool']).optional(),
})
const from = z.object({ from: z.coerce.number().int().nonnegative().default(0) })

export function sessionsApi(place: Place): Hono {
  const app = new Hono()
  const { home, project } = place.options
  const sessions = new Sessions(home, project)
  app.get('/', async context => {
    const open = new Map(place.conversations.list().map(held => [held.id, held]))
    const listed = await sessions.list()
    return context.json(
      listed.map(each => ({
        ...each,
        open: open.has(each.id),
        working: open.get(each.id)?.isWorking ?? false,
      })),
    )
  })
  app.get('/search', async context => {
    const { q, everywhere, role } = queryOf(context, search)
    const { problem } = await place.sessions.refresh()
    const within = everywhere ? {} : { project: project.slug }
    const hits = await place.sessions.search(q, { limit: 40, ...within, ...(role && { role }) })
    const shown = hits.map(({ file: _, offset: __, ...hit }) => ({
      ...hit,
      isHere: hit.project === project.slug,
    }))
    return context.json({ hits: shown, problem: problem ?? null })
  })
  app.get('/:id', async context => {
    const id = await sessions.find(pathPart(context, 'id'))
    const begin = queryOf(context, from).from
    const messages: Message[] = []
    let at = 0
    let more = false
    for await (const message of sessions.messages(id)) {
      if (at++ < begin) continue
      more = messages.length >= MESSAGES_AT_ONCE
      if (more) break
      messages.push(message)
    }
    const meta = (await sessions.list()).find(each => each.id === id)
    return context.json({
      ...meta,
      id,
      items: itemsOf(messages),
      next: more ? begin + MESSAGES_AT_ONCE : null,
    })
  })
  app.patch('/:id', async context => {
    const { title } = await bodyOf(context, z.strictObject({ title: z.string().trim().min(1).max(200) }))
    const id = pathPart(context, 'id')
    // Whoever holds it open writes it.
    const held = place.conversations.list().find(each => each.id === id)
    if (held) await held.agent.transcript.note({ title })
    else await sessions.rename(id, title)
    place.changed('sessions')
    return context.json({ id, title })
  })
  app.delete('/:id', async context => {
    const id = pathPart(context, 'id')
    await place.conversations.close(id)
    await sessions.delete(id)
    place.changed('sessions')
    return context.json({ id })
  })
  return app
}
