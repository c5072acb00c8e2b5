import { Hono } from 'hono'
import { z } from 'zod'
import type { HeldConversation } from '../../../assembly/index.ts'
import { Sessions } from '../../../session/index.ts'
import { because, ReverieError } from '../../../store/index.ts'
import {
  completeSlashCommand,
  isSlashCommand,
  runSlashCommand,
  type SlashContext,
  slashCommandOf,
} from '../../slash/index.ts'
import type { Place } from '../place.ts'
import type { Patch } from '../thread.ts'
import { bodyOf, pathPart, queryOf } from './request.ts'

const LONGEST_MESSAGE = 1_000_000
/** Of what a command prints, unless the page says how much room it has. */
const COLUMNS = 80
const columnsThere = z.number().int().min(20).max(400)

const answer = z.union([
  z.strictObject({ text: z.string().max(LONGEST_MESSAGE) }),
  z.strictObject({
    answer: z.enum(['once', 'session', 'always', 'no']),
    reason: z.string().max(LONGEST_MESSAGE).optional(),
  }),
])

class Waits extends ReverieError {}

export function chatApi(place: Place): Hono {
  const app = new Hono()
  const { conversations } = place
  const { home, project } = place.options
  const tell = (session: string, patches: Patch[]) =>
    place.events.tell({ topic: 'chat', session, data: { session, patches } })
  /** With the place of the stream from which on what comes is news. */
  const shown = (held: HeldConversation) => {
    const { thread } = place.recorder(held.id)
    return { ...thread, place: place.events.place }
  }
  /** One that was closed meanwhile is opened again: nobody has to know. */
  const held = (id: string) => conversations.open(id)

  app.get('/', context =>
    context.json(
      conversations.list().map(({ id, isWorking, questions, agent }) => ({
        session: id,
        title: agent.transcript.meta.title ?? '',
        isWorking,
        questions: questions.length,
      })),
    ),
  )
  app.post('/', async context => {
    const { session } = await bodyOf(context, z.strictObject({ session: z.string().optional() }))
    const id = session === undefined ? undefined : await new Sessions(home, project).find(session)
    return context.json(shown(await conversations.open(id)), 201)
  })
  app.get('/:id', async context => context.json(shown(await held(pathPart(context, 'id')))))
  app.post('/:id/say', async context => {
    const { text, columns } = await bodyOf(
      context,
      z.strictObject({
        text: z.string().trim().min(1).max(LONGEST_MESSAGE),
        columns: columnsThere.optional(),
      }),
    )
    const conversation = await held(pathPart(context, 'id'))
    if (!isSlashCommand(text)) return context.json(conversation.say(text), 202)
    return context.json(await command(conversation, text, columns), 202)
  })
  app.post('/:id/interrupt', async context => {
    ;(await held(pathPart(context, 'id'))).interrupt()
    return context.json({})
  })
  app.post('/:id/unsay', async context => {
    ;(await held(pathPart(context, 'id'))).unsay()
    return context.json({})
  })
  app.post('/:id/go-on', async context => {
    ;(await held(pathPart(context, 'id'))).goOn()
    return context.json({}, 202)
  })
  app.post('/:id/answers/:question', async context => {
    const given = await bodyOf(context, answer)
    const conversation = await held(pathPart(context, 'id'))
    const { reason, ...said } = 'answer' in given ? given : { reason: undefined }
    conversation.settle(
      pathPart(context, 'question'),
      'text' in given
        ? given.text
        : { answer: given.answer, ...said, ...(reason !== undefined && { reason }) },
    )
    return context.json({})
  })
  app.get('/:id/complete', async context => {
    const { line } = queryOf(context, z.object({ line: z.string().max(1_000) }))
    const conversation = await held(pathPart(context, 'id'))
    return context.json(await completeSlashCommand(line, slashContext(conversation).context))
  })
  app.delete('/:id', async context => {
    await conversations.close(pathPart(context, 'id'))
    return context.json({})
  })

  /** What is shown of it is shown in every window; where it leads to another session, this one follows. */
  async function command(
    conversation: HeldConversation,
    line: string,
    columns?: number,
  ): Promise<{ session?: string }> {
    const recorder = place.recorder(conversation.id)
    const { context, moved } = slashContext(conversation, columns)
    try {
      const [, now] = /^\/now\s+(\S[\s\S]*)$/.exec(line) ?? []
      if (conversation.isWorking && now !== undefined) {
        conversation.say(now, 'now')
        return {}
      }
      if (conversation.isWorking && /^\/unsay\s*$/.test(line)) conversation.unsay()
      else if (conversation.isWorking && !slashCommandOf(line)?.meanwhile)
        throw new Waits('Commands wait until this is answered; Stop interrupts it.')
      const done = await runSlashCommand(line, context)
      if (done.say !== undefined) conversation.say(done.say)
      else tell(conversation.id, recorder.command(line, done.text ?? ''))
      const session = moved() ?? (done.end ? (await conversations.open()).id : undefined)
      return session === undefined ? {} : { session }
    } catch (error) {
      if (!(error instanceof ReverieError)) throw error
      tell(conversation.id, recorder.command(line, because(error), true))
      return {}
    }
  }

  function slashContext(
    { id, conversation: { agent, servers, jobs } }: HeldConversation,
    columns: number = COLUMNS,
  ) {
    let next: string | undefined
    const { home, project, env, config, memory } = place.options
    const context: SlashContext = {
      home,
      project,
      env,
      config,
      memory,
      agent,
      servers,
      jobs,
      columns,
      colours: false,
      switchTo: async session => {
        next = (await conversations.open(session)).id
      },
      tell: text => tell(id, place.recorder(id).command('', text)),
    }
    return { context, moved: () => next }
  }
  return app
}
