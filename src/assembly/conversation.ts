/** A conversation with what goes on beside it. Whoever lets somebody talk to the agent opens it here. */
import { Agent, type AgentOptions, type Aside, type End } from '../agent/index.ts'
import type { Memory } from '../memory/index.ts'
import { Servers } from '../servers/index.ts'
import type { Usage } from '../session/index.ts'
import { isFinal } from '../work/index.ts'
import { ConversationJobs } from './conversation-jobs.ts'
import { dailyLogFor } from './daily-log.ts'
import { Dreaming, dreamContext } from './dreaming.ts'
import { Extracting } from './extracting.ts'
import { letGoOfOldSessions } from './old-sessions.ts'

export interface ConversationOptions extends AgentOptions {
  /** It ends with its answer, as `reverie -m` does: nothing begins beside it that takes minutes. */
  brief?: boolean
  /** Somebody is there who is shown what is told beside answers: jobs begin here, and what they came to is told here. */
  attended?: boolean
  /** It answers a job, and nobody is there. */
  answersJob?: boolean
}

/**
 * What side jobs have done is told as `aside` to whoever listens to the agent (`agent.listen`), for the person to read;
 * what they cost is the session's.
 */
export class Conversation implements AsyncDisposable {
  readonly agent: Agent
  /** Undefined where nothing is recalled and nothing kept. Whoever opened it closes it. */
  readonly memory: Memory | undefined
  /** The MCP servers that lend it tools. */
  readonly servers: Servers
  /** The jobs of the project, those of this conversation included. */
  readonly jobs: ConversationJobs
  #dreaming: Dreaming | undefined
  #extracting: Extracting | undefined
  /** Once in a conversation, after its first answer. */
  #lettingGo: Promise<void> | undefined
  #letGo: () => Promise<void>

  private constructor(
    { agent, servers, jobs }: Pick<Conversation, 'agent' | 'servers' | 'jobs'>,
    { brief = false, ...options }: ConversationOptions,
  ) {
    this.agent = agent
    this.servers = servers
    this.jobs = jobs
    this.memory = options.memory
    const { memory, config, env, now } = options
    const beside = {
      isPoor: () => this.poor,
      tell: (aside: Aside) => agent.tell({ type: 'aside', ...aside }),
      charge: (usage: Usage) => this.#charge(usage),
    }
    this.#letGo = async () => {
      const aside = await letGoOfOldSessions(options, agent.transcript.id)
      if (aside) beside.tell(aside)
    }
    if (memory) this.#extracting = new Extracting({ agent, memory, config, env, now, ...beside })
    if (memory && !brief)
      this.#dreaming = new Dreaming({
        context: async () => dreamContext({ ...options, memory, session: agent.transcript.id }),
        background: () => agent.background,
        ...beside,
      })
    agent.onAnswered = end => this.#beginSideJobs(end)
    if (options.attended) jobs.begin(agent)
  }

  static async open(options: ConversationOptions): Promise<Conversation> {
    const jobs = new ConversationJobs(options, openConversation)
    const log = dailyLogFor(options)
    const servers = await Servers.begin(options)
    const sections = servers.isEmpty ? [] : [servers.section()]
    try {
      const agent = await Agent.open({
        ...options,
        tools: [...(options.tools ?? []), ...jobs.tools(), ...log.tools],
        sections: [...(options.sections ?? []), ...sections, ...log.sections],
        lend: own => servers.lend(own),
      })
      return new Conversation({ agent, servers, jobs }, options)
    } catch (error) {
      await servers.close()
      throw error
    }
  }

  /** Whether nothing begins beside the conversation that costs tokens: `/poor`. */
  get poor(): boolean {
    return this.agent.poor
  }

  set poor(poor: boolean) {
    this.agent.poor = poor
  }

  /** Whether somebody is being answered, or something goes on beside that ends with the conversation. */
  get isBusy(): boolean {
    return (
      this.agent.isWorking ||
      this.#extracting?.isBusy === true ||
      this.jobs.isBusy ||
      this.agent.background.list().some(({ status }) => !isFinal(status))
    )
  }

  /** What was said is looked through to its end, or for a while; a dream is stopped; then the agent is. */
  async close(): Promise<void> {
    this.agent.onAnswered = undefined
    await this.jobs[Symbol.asyncDispose]()
    await this.#extracting?.[Symbol.asyncDispose]()
    await this.#lettingGo
    await this.#dreaming?.[Symbol.asyncDispose]()
    await this.agent.close()
    await this.servers.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Not where something is wrong with the model; and what a schedule asked is nobody's talk: nothing is made of it. */
  #beginSideJobs({ reason }: End): void {
    if (reason !== 'answered') return
    this.#lettingGo ??= this.#letGo()
    const asked = this.agent.messages.findLast(({ origin }) => origin === 'person' || origin === 'schedule')
    if (asked?.origin !== 'person') return
    this.#extracting?.consider()
    this.#dreaming?.consider()
  }

  /** What is shown of the session's cost is brought up to date with it. */
  async #charge(usage: Usage): Promise<void> {
    const { agent } = this
    await agent.transcript.charge(usage)
    agent.tell({ type: 'usage', usage, total: agent.transcript.meta.usage ?? usage })
  }
}

export function openConversation(options: ConversationOptions): Promise<Conversation> {
  return Conversation.open(options)
}
