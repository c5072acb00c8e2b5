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
import { ReverieError } from '../../store/index.ts'
import { defineTool, type Tool } from '../../tools/index.ts'
import type { AgentEvent, End } from '../events.ts'
import { answer, beginAnswer, type LoopParts, type LoopState } from '../loop.ts'
import { notification } from '../notification.ts'
import type { AgentDefinition, MemoryScope } from './definition.ts'

/** What helpers need of the conversation that calls them. */
export interface Caller {
  /** What the caller's model was sent last: a fork begins with just that. */
  state(): Pick<LoopState, 'messages' | 'summary' | 'model'>
  /** All that a loop needs, for a transcript of its own. */
  partsFor(helper: HelperParts): LoopParts
  openModel(id: string): Promise<OpenedModel>
  tools(): ReadonlyMap<string, Tool>
  memoryTools(scope: MemoryScope, agent: string): Promise<Tool[]>
  /** A new transcript, or one of a helper that was called before. */
  transcript(id?: string): Promise<{ transcript: Transcript; resumed: Resumed | undefined }>
  /** Counts in what the conversation has cost. */
  charge(usage: Usage): Promise<void>
  /** Tells the caller something, once. */
  notify(message: Message): void
  now(): Date
}

export interface HelperParts {
  transcript: Transcript
  /** Undefined for a fork, which has the caller's. */
  system: readonly string[] | undefined
  tools: ReadonlyMap<string, Tool> | undefined
  inbox: () => Message[]
  emit: (event: AgentEvent) => void
  signal: AbortSignal
  /** Nobody is there to be asked. */
  alone: boolean
}

export type HelperStatus = 'running' | 'completed' | 'failed' | 'cancelled'

/** A helper, as it is told to whoever asks. */
export interface Helper {
  id: string
  agent: string
  task: string
  status: HelperStatus
  turns: number
  background: boolean
  startedAt: string
  transcript: string
}

/** At the same time, and in one conversation. */
const MOST_RUNNING = 8
const MOST_IN_ALL = 50
const TURNS_EACH = 60
/** Characters of its report that go into a notification; all of it is in the transcript. */
const REPORT_CHARACTERS = 20_000

class TooManyHelpers extends ReverieError {}
class NoSuchHelper extends ReverieError {}

interface Running extends Helper {
  controller: AbortController
  inbox: Message[]
  done: Promise<string>
}

/** The helpers of one conversation: each has a loop, a transcript and an end of its own. */
export class SubAgents {
  #caller: Caller
  #definitions: ReadonlyMap<string, AgentDefinition>
  #helpers = new Map<string, Running>()

  constructor(caller: Caller, definitions: ReadonlyMap<string, AgentDefinition>) {
    this.#caller = caller
    this.#definitions = definitions
  }

  list(): Helper[] {
    return [...this.#helpers.values()].map(
      ({ id, agent, task, status, turns, background, startedAt, transcript }) => ({
        id,
        agent,
        task,
        status,
        turns,
        background,
        startedAt,
        transcript,
      }),
    )
  }

  /** Ends a helper that runs; what it has done so far is in its transcript. */
  stop(id: string): Helper {
    const helper = this.#find(id)
    helper.controller.abort(new Error('stopped'))
    return helper
  }

  /** Ends all of them, and waits until they have. */
  async close(): Promise<void> {
    for (const { controller } of this.#helpers.values()) controller.abort(new Error('the conversation ended'))
    await Promise.allSettled([...this.#helpers.values()].map(({ done }) => done))
  }

  tools(): Tool[] {
    return [this.#agentTool(), this.#sendTool(), this.#stopTool()]
  }

  #agentTool(): Tool {
    const known = [...this.#definitions.values()].map(({ name, description }) => `${name}: ${description}`)
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
        return { text: await helper.done }
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
        if (helper.status !== 'running')
          throw new NoSuchHelper(
            `${id} is ${helper.status}. Call agent with resume: "${id}" to go on with it.`,
          )
        helper.inbox.push(this.#said(text))
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
        if (helper.status !== 'running') return { text: `${id} had ended before: ${helper.status}.` }
        this.stop(id)
        await helper.done
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
  ): Promise<Running> {
    this.#assertRoom()
    const before = input.resume === undefined ? undefined : this.#finished(input.resume)
    const definition = input.fork ? undefined : this.#definitionOf(input.agent ?? before?.agent ?? 'general')
    const { transcript, resumed } = await this.#caller.transcript(before?.id)
    const controller = new AbortController()
    const background = input.background ?? false
    // What runs in front ends with the turn that called it; what runs behind is stopped only by its id.
    if (!background) signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
    const helper: Running = {
      id: transcript.id,
      agent: definition?.name ?? 'fork',
      task: input.task,
      status: 'running',
      turns: 0,
      background,
      startedAt: this.#caller.now().toISOString(),
      transcript: transcript.path,
      controller,
      inbox: [],
      done: Promise.resolve(''),
    }
    this.#helpers.set(helper.id, helper)
    helper.done = this.#work(helper, definition, transcript, resumed)
    helper.done.catch(() => {}) // told by the report
    return helper
  }

  /** Runs a helper to its end and gives its report; never leaves it running. */
  async #work(
    helper: Running,
    definition: AgentDefinition | undefined,
    transcript: Transcript,
    resumed: Resumed | undefined,
  ): Promise<string> {
    try {
      const { end, text } = await this.#answer(helper, definition, transcript, resumed)
      helper.status =
        end.reason === 'answered' ? 'completed' : end.reason === 'interrupted' ? 'cancelled' : 'failed'
      return this.#report(helper, end.message === undefined ? text : `${text}\n\n${end.message}`.trim())
    } catch (error) {
      helper.status = helper.controller.signal.aborted ? 'cancelled' : 'failed'
      return this.#report(helper, error instanceof Error ? error.message : String(error))
    } finally {
      await transcript.close()
    }
  }

  async #answer(
    helper: Running,
    definition: AgentDefinition | undefined,
    transcript: Transcript,
    resumed: Resumed | undefined,
  ): Promise<{ end: End; text: string }> {
    const state = this.#caller.state()
    const model =
      definition?.model === undefined ? state.model : await this.#caller.openModel(definition.model)
    const task = this.#said(helper.task)
    const start = resumed?.messages ?? (definition ? [] : state.messages)
    await transcript.append(...(resumed || definition ? [] : start), task)
    const charges: Promise<void>[] = []
    const parts = this.#caller.partsFor({
      transcript,
      system: definition && [definition.prompt],
      tools: definition && (await this.#toolsFor(definition)),
      inbox: () => helper.inbox.splice(0),
      emit: event => {
        if (event.type === 'reply') helper.turns++
        if (event.type === 'usage') charges.push(this.#caller.charge(event.usage))
      },
      signal: helper.controller.signal,
      alone: helper.background,
    })
    const summary = resumed ? resumed.summary : definition ? undefined : state.summary
    const begun = beginAnswer(model, [...start, task], summary, 'person-spoke')
    const { state: last, end } = await answer(begun, {
      ...parts,
      maxTurns: Math.min(parts.maxTurns, TURNS_EACH),
    })
    await Promise.all(charges)
    return { end, text: lastWords(last.messages) }
  }

  async #toolsFor({ tools, memory, name }: AgentDefinition): Promise<ReadonlyMap<string, Tool>> {
    const own = memory === undefined ? [] : await this.#caller.memoryTools(memory, name)
    const callers = [...this.#caller.tools().values()].filter(tool => !isForCallersOnly(tool))
    const chosen = callers.filter(tool =>
      tools === undefined ? !isMemoryTool(tool) : tools.includes(tool.name),
    )
    return new Map([...chosen, ...own].map(tool => [tool.name, tool]))
  }

  /** One notification for each helper that worked in the background, whatever became of it. */
  #report(helper: Running, text: string): string {
    const { id, agent, status, turns } = helper
    const report = text === '' ? '(it said nothing)' : text
    const news = { id, agent, status, turns, report: report.slice(0, REPORT_CHARACTERS) }
    if (helper.background) this.#caller.notify(notification(`agent ${id}`, news, this.#caller.now()))
    return `${report}\n\n(${agent} ${id}, ${status} after ${turns} turns)`
  }

  #assertRoom(): void {
    const running = [...this.#helpers.values()].filter(({ status }) => status === 'running').length
    if (running >= MOST_RUNNING)
      throw new TooManyHelpers(`${running} helpers are running, which is the most. Wait for one of them.`)
    if (this.#helpers.size >= MOST_IN_ALL)
      throw new TooManyHelpers(`This conversation has called ${MOST_IN_ALL} helpers, which is the most.`)
  }

  #finished(id: string): Running {
    const helper = this.#find(id)
    if (helper.status === 'running')
      throw new NoSuchHelper(`${id} is still running. Use agent_send to say something to it.`)
    return helper
  }

  #find(id: string): Running {
    const helper = this.#helpers.get(id)
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

/** Helpers call no helpers: work that is passed on and on comes to no end. */
function isForCallersOnly({ name }: Tool): boolean {
  return name.startsWith('agent') || name === 'ask_user'
}

function isMemoryTool({ name }: Tool): boolean {
  return name.startsWith('memory_')
}

/** What an agent said last, which is its report. */
function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'text'),
  )
  return last ? textOf(last) : ''
}
