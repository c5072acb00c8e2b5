/**
 * Which conversation a request belongs to. The protocol knows none: each request brings along everything that was said.
 * So a conversation is known by what was said in it, as its client says it again; or by a name that the client gives it.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Conversation, type ConversationOptions, openConversation } from '../../assembly/index.ts'
import type { Config } from '../../config/index.ts'
import { type Message, newMessageId, Sessions } from '../../session/index.ts'
import { Refusal } from './refusal.ts'
import type { Asked, Said } from './request.ts'

export type TalksOptions = Pick<ConversationOptions, 'home' | 'project' | 'env' | 'memory'> & {
  /** As many stay open, and those besides in which something still runs. */
  mostOpen?: number
  idleMs?: number
}

/** One request's conversation, which is its alone until it is given back. */
export interface Talk {
  conversation: Conversation
  /** Gives it back, with the answer that the next request will bring along, if there is one. */
  done(answer: string | undefined): void
}

interface Held {
  conversation: Conversation
  /** The client's own, as the last request had them. */
  instructions: Instructions
  /** The settings that it was opened with. */
  config: Config
  lastUsed: number
}

interface Instructions {
  text: string
}

export interface Circumstances {
  config: Config
  /** The client's name for the conversation, where it gives one. */
  name: string | undefined
}

type Beginning = Pick<ConversationOptions, 'earlier' | 'newSession'>

const MOST_OPEN = 12
/** Beyond it those are closed as well in which something runs that nobody waits for. */
const MOST_RUNNING = 100
const IDLE_MS = 10 * 60_000
const LOOK_EVERY_MS = 30_000
/** Answers that are remembered, to know their conversation by. */
const MOST_KNOWN = 5_000
const NAME = /^[\w-]{1,64}$/

export class Talks implements AsyncDisposable {
  #options: TalksOptions
  #sessions: Sessions
  #held = new Map<string, Held>()
  #taken = new Set<string>()
  /** By what was said so far, which session that is. */
  #known = new Map<string, string>()
  #sweeper: NodeJS.Timeout
  #isOver = false

  constructor(options: TalksOptions) {
    this.#options = options
    this.#sessions = new Sessions(options.home, options.project)
    this.#sweeper = setInterval(() => void this.#sweep(), LOOK_EVERY_MS)
    this.#sweeper.unref()
  }

  take(key: string, asked: Asked, { config, name }: Circumstances): Promise<Talk> {
    if (this.#isOver) throw new Refusal(503, 'ending', 'This program is ending.')
    if (name !== undefined) return this.#named(key, asked, config, name)
    const { system, earlier } = asked
    const known = earlier.length === 0 ? undefined : this.#known.get(fingerprint(key, system, earlier))
    // Two who go on from the same words are two conversations.
    const session = known !== undefined && !this.#taken.has(known) && this.#exists(known) ? known : undefined
    return this.#take(key, asked, config, session, { earlier: messagesOf(earlier) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    clearInterval(this.#sweeper)
    await Promise.all([...this.#held.keys()].map(session => this.#close(session)))
  }

  #named(key: string, asked: Asked, config: Config, name: string): Promise<Talk> {
    if (!NAME.test(name))
      throw new Refusal(
        400,
        'bad_session',
        'X-Reverie-Session takes up to 64 letters, digits, hyphens and underscores.',
      )
    const id = `api-${key}-${name}`
    if (this.#taken.has(id))
      throw new Refusal(
        409,
        'session_busy',
        `The session ${name} is being answered. Wait for it, or use another name.`,
      )
    // What was said before is in the session, whatever the request brings along.
    return this.#exists(id)
      ? this.#take(key, asked, config, id, {})
      : this.#take(key, asked, config, undefined, { newSession: { id } })
  }

  async #take(
    key: string,
    asked: Asked,
    config: Config,
    session: string | undefined,
    begin: Beginning,
  ): Promise<Talk> {
    const claimed = session ?? begin.newSession?.id
    if (claimed !== undefined) this.#taken.add(claimed)
    try {
      const conversation = await this.#open(asked.system, config, session, begin)
      const { id } = conversation.agent.transcript
      this.#taken.add(id)
      return {
        conversation,
        done: answer => {
          this.#taken.delete(id)
          const held = this.#held.get(id)
          if (held) held.lastUsed = performance.now()
          if (answer !== undefined) this.#know(key, asked, answer, id)
          void this.#sweep()
        },
      }
    } catch (error) {
      if (claimed !== undefined) this.#taken.delete(claimed)
      throw error
    }
  }

  async #open(
    system: string,
    config: Config,
    session: string | undefined,
    begin: Beginning,
  ): Promise<Conversation> {
    const held = session === undefined ? undefined : this.#held.get(session)
    // Other settings hold from the next time on that it is opened: what still runs in it is not ended for them.
    if (held && (held.conversation.isBusy || isDeepStrictEqual(held.config, config))) {
      held.instructions.text = system
      return held.conversation
    }
    if (session !== undefined) await this.#close(session)
    const { home, project, env, memory } = this.#options
    const instructions: Instructions = { text: system }
    const conversation = await openConversation({
      home,
      project,
      config,
      env,
      ...(memory && { memory }),
      ...(session === undefined ? begin : { session }),
      sections: [
        {
          name: "the client's instructions",
          side: 'project',
          dependsOn: async () => instructions.text,
          make: async () => instructions.text,
        },
      ],
    })
    const { id } = conversation.agent.transcript
    this.#held.set(id, { conversation, instructions, config, lastUsed: performance.now() })
    return conversation
  }

  #know(key: string, { system, earlier, last }: Asked, answer: string, session: string): void {
    const now = fingerprint(key, system, [...earlier, last, { role: 'assistant', text: answer, images: [] }])
    this.#known.delete(now)
    this.#known.set(now, session)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  #exists(session: string): boolean {
    return this.#held.has(session) || existsSync(this.#sessions.pathOf(session))
  }

  /** Closes what nobody has asked for lately, and what is too many; not where something still runs in the background. */
  async #sweep(): Promise<void> {
    const { idleMs = IDLE_MS, mostOpen = MOST_OPEN } = this.#options
    const free = [...this.#held].filter(([session]) => !this.#taken.has(session))
    const byAge = free.sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    const resting = byAge.filter(([, { conversation }]) => !conversation.isBusy)
    const tooMany = resting.slice(0, Math.max(0, this.#held.size - mostOpen))
    const tooOld = resting.filter(([, { lastUsed }]) => performance.now() - lastUsed >= idleMs)
    const farTooMany = byAge.slice(0, Math.max(0, this.#held.size - MOST_RUNNING))
    const closed = new Set([...tooMany, ...tooOld, ...farTooMany])
    await Promise.all([...closed].map(([session]) => this.#close(session)))
  }

  async #close(session: string): Promise<void> {
    const held = this.#held.get(session)
    this.#held.delete(session)
    await held?.conversation.close()
  }
}

function fingerprint(key: string, system: string, said: readonly Said[]): string {
  const hash = createHash('sha256').update(JSON.stringify([key, system]))
  // Clients trim what they show.
  for (const { role, text, images } of said)
    hash.update(JSON.stringify([role, text.trim(), images.map(({ data }) => data)]))
  return hash.digest('base64')
}

/** Said by whoever the request says: nothing is learned from it as if the owner had said it just now. */
function messagesOf(said: readonly Said[]): Message[] {
  const at = new Date().toISOString()
  return said.map(({ role, text, images }): Message => {
    const parts = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images]
    const id = newMessageId()
    if (role === 'user') return { id, role, origin: 'program', at, parts }
    return { id, role, origin: 'model', at, parts, stop: 'end' }
  })
}
