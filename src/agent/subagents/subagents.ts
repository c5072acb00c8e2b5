import { z } from 'zod'
import type { OpenedModel } from '../../models/index.ts'
import {
  type Message,
  newMessageId,
  type Resumed,
  type Transcript,
  textOf,
  type Usage,
} from '../../session/index.ts'
import { because, ReverieError } from '../../store/index.ts'
import { defineTool, type Tool } from '../../tools/index.ts'
import {
  type Attention,
  type BackgroundTask,
  type BackgroundTasks,
  isFinal,
  type LiveTask,
  newTaskId,
  type RunningTask,
  type WorkEnd,
} from '../../work/index.ts'
import type { AgentEvent, End } from '../events.ts'
import { answer, beginAnswer, type LoopParts, type LoopState } from '../loop.ts'
import type { AgentDefinition, MemoryScope } from './definition.ts'
import { forDefinition, forFork, type HelperHands } from './helper-hands.ts'
import { endOf, lastWords, type Reporting, reportOf, shown, titleOf } from './report.ts'

/** What helpers need of the conversation that calls them. */
export interface Caller {
  /** What the caller's model was sent last: a fork begins with just that. */
  state(): Pick<LoopState, 'messages' | 'summary' | 'model'>
  /** All that a loop needs, for a transcript of its own. */
  partsFor(helper: HelperParts): LoopParts
  openModel(id: string): Promise<OpenedModel>
  /** The caller's tools for a helper, with a working directory and a knowledge of files of its own. */
  hands(id: string, about: { knowsAll: boolean }): HelperHands
  remembering(scope: MemoryScope, agent: string): Promise<Remembering>
  /** A new transcript, or the one of a helper that was called before and goes on. */
  transcript(id: string, goesOn: boolean): Promise<{ transcript: Transcript; resumed: Resumed | undefined }>
  /** Counts in what the conversation has cost. */
  charge(usage: Usage): Promise<void>
  /** Runs them, and tells the caller of the end of those that nobody waits for. */
  background: BackgroundTasks
  /** What is said to helpers goes through the conversation's queue, to their ids. */
  attention: Attention<Message>
  /** Hears in a helper's place what it did not hear any more. */
  inherit(helper: string): void
  now(): Date
}

/** The tools for what a helper remembers, until it has ended. */
export interface Remembering extends Disposable {
  tools: readonly Tool[]
}

export interface HelperParts extends Omit<HelperHands, 'further'> {
  transcript: Transcript
  /** Undefined for a fork, which has the caller's. */
  system: readonly string[] | undefined
  inbox: () => Message[]
  emit: (event: AgentEvent) => void
  signal: AbortSignal
  /** Nobody is there to be asked. */
  alone: boolean
}

/** A helper, as it is told to whoever asks. */
export interface Helper {
  id: string
  agent: string
  task: string
  status: BackgroundTask['status']
  turns: number
  background: boolean
  startedAt: string
  transcript: string
}

/** At the same time, and in one conversation. */
const MOST_RUNNING = 8
const MOST_IN_ALL = 50
const TURNS_EACH = 60
/** As of a skill (4-agent.md). */
const DESCRIPTION_CHARACTERS = 250

class TooManyHelpers extends ReverieError {}
class NoSuchHelper extends ReverieError {}

interface Called extends Omit<Helper, 'status'>, Reporting {
  /** How often it was called: it goes on with each `resume`. */
  runs: number
  fork: boolean
  hands: HelperHands
  live: LiveTask
  /** When nothing of it runs and its transcript is closed. */
  gone: Promise<void>
}

/** The helpers of one conversation: each has a loop, a transcript and an end of its own. */
export class SubAgents {
  #caller: Caller
  #definitions: ReadonlyMap<string, AgentDefinition>
  #helpers = new Map<string, Called>()

  constructor(caller: Caller, definitions: ReadonlyMap<string, AgentDefinition>) {
    this.#caller = caller
    this.#definitions = definitions
  }

  list(): Helper[] {
    return [...this.#helpers.values()].map(helper => {
      const { id, agent, task, turns, background, startedAt, transcript } = helper
      return { id, agent, task, status: statusOf(helper), turns, background, startedAt, transcript }
    })
  }

  /** Whether it still hears what is said to it. */
  isAtWork(id: string): boolean {
    const helper = this.#helpers.get(id)
    return helper !== undefined && isAtWork(helper)
  }

  /** Ends all of them, and waits until they have. */
  async close(): Promise<void> {
    for (const { live } of this.#helpers.values()) live.cancel('the conversation ended')
    await Promise.all([...this.#helpers.values()].map(({ gone }) => gone))
  }

  tools(): Tool[] {
    return [this.#agentTool(), this.#sendTool(), this.#stopTool()]
  }

  #agentTool(): Tool {
    const known = [...this.#definitions.values()].map(inOneLine)
    return defineTool({
      name: 'agent',
      description: [
        'Gives a piece of work to a helper with a context of its own, and returns its report. The helper sees only',
        'the task, unless it is a fork: say everything it needs. In the background it reports later, by itself.',
        `Helpers: ${known.join(' ')}`,
      ].join(' '),
      input: z.object({
        agent: z.enum([...this.#definitions.keys()] as [string, ...string[]]).optional(),
        task: z.string().min(1).describe('what to do, with everything that has to be known for it'),
        background: z.boolean().optional().describe('go on without waiting for the report'),
        fork: z
          .boolean()
          .optional()
          .describe('begin with all of this conversation, instead of a helper’s own prompt'),
        resume: z
          .string()
          .optional()
          .describe('the id of a helper that has finished: it goes on with this task'),
      }),
      // Helpers work beside each other, also those that write: what they may do is judged call by call.
      concurrent: true,
      run: async (input, { signal }) => {
        const helper = await this.#start(input, signal)
        if (helper.background)
          return {
            text: JSON.stringify({
              id: helper.id,
              status: 'running',
              note: 'Its report will come by itself.',
            }),
          }
        await helper.gone
        return { text: reportOf(helper, statusOf(helper)) }
      },
    })
  }

  #sendTool(): Tool {
    return defineTool({
      name: 'agent_send',
      description: 'Says something to a helper that is running; it hears it before its next turn.',
      input: z.object({ id: z.string(), text: z.string().min(1) }),
      readOnly: true,
      run: async ({ id, text }) => {
        const helper = this.#find(id)
        if (!isAtWork(helper))
          throw new NoSuchHelper(
            `${id} is ${statusOf(helper)}. Call agent with resume: "${id}" to go on with it.`,
          )
        this.#caller.attention.add({ to: helper.id, priority: 'next', content: this.#said(text) })
        return { text: `${id} will hear it.` }
      },
    })
  }

  #stopTool(): Tool {
    return defineTool({
      name: 'agent_stop',
      description: 'Ends a helper that is running. What it has done so far stays done.',
      input: z.object({ id: z.string() }),
      run: async ({ id }) => {
        const helper = this.#find(id)
        if (!isAtWork(helper)) return { text: `${id} had ended before: ${statusOf(helper)}.` }
        helper.live.cancel('it was stopped')
        await helper.gone
        return { text: `${id} was stopped.` }
      },
    })
  }

  async #start(
    input: {
      agent?: string | undefined
      task: string
      background?: boolean | undefined
      fork?: boolean | undefined
      resume?: string | undefined
    },
    signal: AbortSignal,
  ): Promise<Called> {
    const before = input.resume === undefined ? undefined : this.#finished(input.resume)
    const fork = input.fork ?? before?.fork ?? false
    const definition = fork ? undefined : this.#definitionOf(input.agent ?? before?.agent ?? 'general')
    const id = before?.id ?? newTaskId('agent')
    await before?.gone // one that was just stopped may still be writing
    const { transcript, resumed } = await this.#caller.transcript(id, before !== undefined)
    // In the same moment as the start: several may be called at once.
    const full = this.#noRoom()
    if (full) await transcript.close()
    if (full) throw full
    const helper: Omit<Called, 'live' | 'gone'> = {
      id,
      agent: definition?.name ?? 'fork',
      fork,
      task: input.task,
      turns: 0,
      background: input.background ?? false,
      startedAt: this.#caller.now().toISOString(),
      transcript: transcript.path,
      said: '',
      runs: (before?.runs ?? 0) + 1,
      // What it was shown is in its transcript, with which it goes on.
      hands: before?.hands ?? this.#caller.hands(id, { knowsAll: fork }),
    }
    const live = this.#caller.background.start({
      kind: 'agent',
      id: helper.runs === 1 ? id : `${id}-${helper.runs}`,
      title: titleOf(helper),
      awaited: !helper.background,
      run: task => this.#work(helper, definition, transcript, resumed, task),
      stopped: why => endOf(helper, `did not finish: ${why}`, helper.said),
    })
    // What runs in front ends with the turn that called it; what runs behind is stopped only by its id.
    const interrupted = () => live.cancel('it was interrupted')
    if (!helper.background) signal.addEventListener('abort', interrupted, { once: true })
    if (!helper.background && signal.aborted) interrupted()
    void live.done.then(() => this.#caller.inherit(id))
    const gone = live.gone.then(() => transcript.close())
    const called = Object.assign(helper, { live, gone })
    this.#helpers.set(id, called)
    return called
  }

  /** Runs a helper to its end; never leaves it running. */
  async #work(
    helper: Omit<Called, 'live' | 'gone'>,
    definition: AgentDefinition | undefined,
    transcript: Transcript,
    resumed: Resumed | undefined,
    task: RunningTask,
  ): Promise<WorkEnd> {
    try {
      const { end, text } = await this.#answer(helper, definition, transcript, resumed, task)
      helper.said = end.message === undefined ? text : `${text}\n\n${end.message}`.trim()
      if (end.reason === 'answered') return endOf(helper, 'completed', helper.said)
      const status = end.reason === 'interrupted' ? 'cancelled' : 'failed'
      return { ...endOf(helper, `${status} (${end.reason})`, helper.said), status }
    } catch (error) {
      helper.said = because(error)
      return { ...endOf(helper, 'failed', helper.said), status: 'failed' }
    }
  }

  async #answer(
    helper: Omit<Called, 'live' | 'gone'>,
    definition: AgentDefinition | undefined,
    transcript: Transcript,
    resumed: Resumed | undefined,
    task: RunningTask,
  ): Promise<{ end: End; text: string }> {
    const state = this.#caller.state()
    const model =
      definition?.model === undefined ? state.model : await this.#caller.openModel(definition.model)
    const { memory, name = '' } = definition ?? {}
    using remembering = memory === undefined ? undefined : await this.#caller.remembering(memory, name)
    const asked = this.#said(helper.task)
    const start = resumed?.messages ?? (definition ? [] : state.messages)
    await transcript.append(...(resumed || definition ? [] : start), asked)
    const charges: Promise<void>[] = []
    const parts = this.#caller.partsFor({
      transcript,
      system: definition && [definition.prompt],
      tools: this.#toolsOf(helper, definition, remembering),
      seen: helper.hands.seen,
      inbox: () => this.#caller.attention.take(helper.id),
      emit: event => {
        if (event.type === 'reply') {
          helper.turns++
          helper.said = textOf(event.message) || helper.said
        }
        if (event.type === 'tool-started') task.progress(`turn ${helper.turns + 1}: ${event.call.tool}`)
        if (event.type === 'usage') charges.push(this.#caller.charge(event.usage))
        task.output(shown(event))
      },
      signal: task.signal,
      alone: helper.background,
    })
    const summary = resumed ? resumed.summary : definition ? undefined : state.summary
    const begun = beginAnswer(model, [...start, asked], summary, 'person-spoke')
    const { state: last, end } = await answer(begun, {
      ...parts,
      maxTurns: Math.min(parts.maxTurns, TURNS_EACH),
    })
    await Promise.all(charges)
    return { end, text: lastWords(last.messages) }
  }

  #toolsOf(
    { hands }: Pick<Called, 'hands'>,
    definition: AgentDefinition | undefined,
    remembering: Remembering | undefined,
  ): ReadonlyMap<string, Tool> {
    if (!definition) return forFork(hands)
    return forDefinition(definition, hands, remembering?.tools ?? [])
  }

  #noRoom(): TooManyHelpers | undefined {
    const running = [...this.#helpers.values()].filter(isAtWork).length
    if (running >= MOST_RUNNING)
      return new TooManyHelpers(`${running} helpers are running, which is the most. Wait for one of them.`)
    if (this.#helpers.size >= MOST_IN_ALL)
      return new TooManyHelpers(`This conversation has called ${MOST_IN_ALL} helpers, which is the most.`)
    return undefined
  }

  #finished(id: string): Called {
    const helper = this.#find(id)
    if (isAtWork(helper))
      throw new NoSuchHelper(`${id} is still running. Use agent_send to say something to it.`)
    return helper
  }

  #find(id: string): Called {
    const helper = this.#helpers.get(id.replace(RUN_NUMBER, ''))
    if (!helper) throw new NoSuchHelper(`There is no helper ${id} in this conversation.`)
    return helper
  }

  #definitionOf(name: string): AgentDefinition {
    const definition = this.#definitions.get(name)
    if (!definition)
      throw new NoSuchHelper(
        `There is no agent "${name}". There are: ${[...this.#definitions.keys()].join(', ')}.`,
      )
    return definition
  }

  #said(text: string): Message {
    return {
      id: newMessageId(),
      role: 'user',
      // Said by an agent: nothing is learned from it as if it were the owner's.
      origin: 'program',
      at: this.#caller.now().toISOString(),
      parts: [{ type: 'text', text }],
    }
  }
}

/** Of a helper that goes on, in the list of what runs in the background. */
const RUN_NUMBER = /-\d+$/
function statusOf({ live }: Called): Helper['status'] {
  return live.task.status
}

/** Until its transcript is its own again: whoever goes on with it has to wait for that. */
function isAtWork({ live }: Called): boolean {
  return !isFinal(live.task.status)
}

/** What a project says of its agents is not to fill the prompt, nor to look like a part of it. */
function inOneLine({ name, description }: AgentDefinition): string {
  return `${name}: ${description.replaceAll(/\s+/g, ' ').slice(0, DESCRIPTION_CHARACTERS)}`
}
