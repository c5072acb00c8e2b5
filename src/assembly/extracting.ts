/** Extraction beside a conversation: one at a time, and while one goes on the next request waits, only the newest. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Aside } from '../agent/index.ts'
import type { Config } from '../config/index.ts'
import {
  type ExtractionOutcome,
  type Extractor,
  embeddedExtractor,
  extract,
  modelExtractor,
} from '../extraction/index.ts'
import type { Memory } from '../memory/index.ts'
import { chooseSmallModel, EMBEDDED, openModel } from '../models/index.ts'
import type { Message, Usage } from '../session/index.ts'
import { because } from '../store/index.ts'

export interface ExtractingOptions {
  agent: Agent
  memory: Memory
  config: Config
  env: NodeJS.ProcessEnv
  /** Whether nothing may be asked of a model: what needs none is looked for all the same. */
  isPoor(): boolean
  /** Tells the person. */
  tell(aside: Aside): void
  /** What it cost belongs to the conversation. */
  charge(usage: Usage): Promise<void>
  now?: (() => Date) | undefined
}

/** How long the end of a conversation waits for what is being looked through. What is cut off is looked at next time. */
const PATIENCE_MS = 20_000
/** One that takes longer has failed. */
const LONGEST_MS = 120_000

export class Extracting implements AsyncDisposable {
  #options: ExtractingOptions
  #work: Promise<void> | undefined
  /** What was said when it was last asked for. */
  #waiting: readonly Message[] | undefined
  #over = new AbortController()

  constructor(options: ExtractingOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#work !== undefined
  }

  /** Looks through what was said since the last time. It is not waited for. */
  consider(): void {
    this.#waiting = this.#options.agent.messages
    this.#work ??= this.#goOn().finally(() => {
      this.#work = undefined
    })
  }

  /** Lets what goes on finish for a while; what is cancelled then has changed nothing, its cursor included. */
  async [Symbol.asyncDispose](): Promise<void> {
    const patience = new AbortController()
    const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal })
      .then(() => this.#over.abort(new Error('the conversation is over')))
      .catch(() => {}) // it was done in time
    await this.#work
    patience.abort()
    await late
  }

  async #goOn(): Promise<void> {
    while (this.#waiting && !this.#over.signal.aborted) {
      const messages = this.#waiting
      this.#waiting = undefined
      await this.#once(messages).catch(error => {
        if (this.#over.signal.aborted) return
        const text = `(what you said was not looked through: ${because(error)})`
        this.#options.tell({ job: 'extraction', text })
      })
    }
  }

  async #once(messages: readonly Message[]): Promise<void> {
    const { agent, memory, config, tell, charge, now = () => new Date() } = this.#options
    const { approval } = config.extraction
    if (approval === 'off') return
    const { transcript } = agent
    const spent: Usage[] = []
    try {
      const outcome = await extract(
        {
          memory,
          approval,
          session: transcript.id,
          cursorPath: transcript.path.replace(/\.jsonl$/, '.learnt.json'),
          after: transcript.header.forkedFrom?.message,
          messages,
          extractor: () => this.#extractor(),
          signal: AbortSignal.any([this.#over.signal, AbortSignal.timeout(LONGEST_MS)]),
          now: now(),
        },
        usage => spent.push(usage),
      )
      for (const aside of asidesOf(outcome)) tell(aside)
    } finally {
      for (const usage of spent) await charge(usage)
    }
  }

  #extractor(): Promise<Extractor> {
    const { agent, config, env, isPoor } = this.#options
    return extractorFor(isPoor() ? EMBEDDED : agent.model.id, config, env)
  }
}

/** Who looks through what was said to a model: whoever the owner set, else its small one. */
export async function extractorFor(
  model: string,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<Extractor> {
  const id = model === EMBEDDED ? EMBEDDED : (config.extraction.model ?? chooseSmallModel(model, config, env))
  if (id === EMBEDDED) return embeddedExtractor
  const { fallbackModel } = config
  const fallback = fallbackModel === undefined ? undefined : () => openModel(fallbackModel, config, env)
  return modelExtractor({ model: await openModel(id, config, env), fallback })
}

/** One line for what is undone together. */
export function asidesOf({ kept, proposals }: ExtractionOutcome): Aside[] {
  const lines = kept.map(({ entry, changes }): Aside => {
    const done = changes.every(({ before }) => before !== null) ? 'Updated what I remember' : 'Remembered'
    return {
      job: 'extraction',
      text: `${done}: ${namesOf(changes)}`,
      ...(entry !== undefined && { undo: { id: entry, command: `reverie memory undo ${entry}` } }),
    }
  })
  if (proposals.length === 0) return lines
  const which = proposals.length === 1 ? proposals[0]?.id : 'all'
  const text = `Worth remembering? ${namesOf(proposals)} · yes: reverie memory keep ${which} · no: reverie memory drop ${which}`
  return [...lines, { job: 'extraction', text }]
}

function namesOf(of: readonly { name: string }[]): string {
  return of.map(({ name }) => name).join(', ')
}
