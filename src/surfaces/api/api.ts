/** An API in the form of OpenAI's, behind which the agent answers with its memory and its tools. */
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Config } from '../../config/index.ts'
import { chooseModel } from '../../models/index.ts'
import { because, ReverieError } from '../../store/index.ts'
import { bearerOnly, type Keys } from '../keys/index.ts'
import { answerInStream } from './answer-in-stream.ts'
import { type CompletionHead, completion } from './completion.ts'
import { Limits } from './limits.ts'
import { Refusal, refusalResponse } from './refusal.ts'
import { ReplyText } from './reply-text.ts'
import { readRequest } from './request.ts'
import { Talks, type TalksOptions } from './talks.ts'

export interface ApiOptions extends TalksOptions {
  /** The settings, as they are now. */
  config(): Promise<Config>
  keys: Pick<Keys, 'verify'>
  /** What nobody expected: never what a request contained. */
  log?(text: string): void
}

export interface Api extends AsyncDisposable {
  /** Answers below `/v1`. */
  app: Hono
}

/** Of one request: it may bring several images along. */
const LONGEST_BODY_BYTES = 32 * 1024 * 1024
/** What every client may ask for, whichever model is behind it. */
const OWN_MODEL = 'reverie'
/** By which a client names a conversation that goes on. */
const SESSION_HEADER = 'x-reverie-session'

export function makeApi({ keys, config: settings, log = () => {}, ...options }: ApiOptions): Api {
  const talks = new Talks(options)
  const limits = new Limits()
  const modelsOf = (config: Config) => {
    const { id } = chooseModel(config, options.env)
    const others = [config.fallbackModel, config.smallModel].filter(other => other !== undefined)
    return { id, all: [...new Set([OWN_MODEL, id, ...others])] }
  }
  const app = new Hono()
  app.onError((error, context) => {
    if (error instanceof Refusal) return refusalResponse(error)
    if (error instanceof ReverieError) return refusalResponse(new Refusal(500, 'failed', error.message))
    log(`${context.req.method} ${context.req.path}: ${error.stack ?? because(error)}`)
    return refusalResponse(new Refusal(500, 'failed', 'Something went wrong here that should not have.'))
  })
  app.use(
    '/v1/*',
    bearerOnly(shown => keys.verify(shown) !== undefined),
  )
  app.get('/v1/models', async context => {
    const { all } = modelsOf(await settings())
    return context.json({ object: 'list', data: all.map(modelForm) })
  })
  app.get('/v1/models/:id{.+}', async context => {
    const id = context.req.param('id')
    if (!modelsOf(await settings()).all.includes(id)) throw noSuchModel(id)
    return context.json(modelForm(id))
  })
  app.post(
    '/v1/chat/completions',
    bodyLimit({
      maxSize: LONGEST_BODY_BYTES,
      onError: () =>
        refusalResponse(
          new Refusal(413, 'too_large', `A request is at most ${LONGEST_BODY_BYTES / 2 ** 20} MB.`),
        ),
    }),
    async context => {
      const key = keyOf(context, keys)
      const asking = new AbortController()
      const config = await settings()
      const over = limits.begin(key, config.api)
      let isAnswering = false
      try {
        const asked = readRequest(await jsonOf(context))
        const { id, all } = modelsOf(config)
        if (!all.includes(asked.model)) throw noSuchModel(asked.model)
        const name = context.req.header(SESSION_HEADER)
        const talk = await talks.take(key, asked, { config, name })
        const head: CompletionHead = {
          id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
          created: Math.floor(Date.now() / 1_000),
          model: asked.model,
        }
        const { agent } = talk.conversation
        const answer = async (reply: ReplyText) => {
          const { signal } = asking
          const stop = () => agent.interrupt()
          let said: string | undefined
          try {
            const model = asked.model === OWN_MODEL ? id : asked.model
            if (agent.model.id !== model) await agent.useModel(model)
            const { text, images } = asked.last
            const answering = agent.send(text, event => reply.on(event), { images })
            signal.addEventListener('abort', stop, { once: true })
            if (signal.aborted) stop()
            const finish = reply.finish(await answering)
            said = reply.text
            return finish
          } finally {
            signal.removeEventListener('abort', stop)
            talk.done(said)
            over()
          }
        }
        // A client that has gone wants no answer any more.
        context.req.raw.signal.addEventListener('abort', () => asking.abort(), { once: true })
        isAnswering = true
        if (asked.stream)
          return await answerInStream({ head, asking, includeUsage: asked.includeUsage, answer })
        const reply = new ReplyText(() => {})
        const finish = await answer(reply)
        return context.json(completion(head, reply.text, finish, reply.usage))
      } finally {
        if (!isAnswering) over()
      }
    },
  )
  app.all('/v1/*', ({ req }) =>
    refusalResponse(
      new Refusal(
        404,
        'unknown_url',
        `There is no ${req.method} ${req.path} here: chat completions and models are.`,
      ),
    ),
  )
  return { app, [Symbol.asyncDispose]: () => talks[Symbol.asyncDispose]() }
}

function modelForm(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'reverie' }
}

function noSuchModel(id: string): Refusal {
  const message = `There is no model ${JSON.stringify(id.slice(0, 200))} here. "${OWN_MODEL}" is always one; GET /v1/models lists them.`
  return new Refusal(404, 'model_not_found', message, { param: 'model' })
}

function keyOf(context: Context, keys: Pick<Keys, 'verify'>): string {
  const [, shown = ''] = /^Bearer\s+(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
  const key = keys.verify(shown)
  // It was known a moment ago.
  if (!key) throw new Refusal(401, 'invalid_api_key', 'This key was revoked.')
  return key.id
}

async function jsonOf(context: Context): Promise<unknown> {
  try {
    return await context.req.json()
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, 'invalid_json', 'The body is not valid JSON.')
    throw error
  }
}
