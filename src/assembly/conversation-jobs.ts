/** Jobs where somebody talks: made by the agent or the person, begun here, and their results told here. */
import { statSync } from 'node:fs'
import type { Agent } from '../agent/index.ts'
import { because } from '../store/index.ts'
import { scheduleTools, type Tool } from '../tools/index.ts'
import { type News, NewsBox } from '../work/index.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { type ManualRun, Scheduling } from './scheduling.ts'

/** How soon a conversation hears what another process has left for it. */
const LOOK_FOR_NEWS_MS = 2_000
/** Of one result, for the person and for the agent; all of it is in the session of the run. */
const LONGEST_TOLD = 1_000

export class ConversationJobs implements AsyncDisposable {
  readonly scheduling: Scheduling
  #options: ConversationOptions
  #box: NewsBox
  #seen = 0
  /** Why news could not be read the last time; told once. */
  #problem = ''
  #looking: NodeJS.Timeout | undefined
  #agent: Agent | undefined
  #ending = new AbortController()
  #runs = new Set<Promise<void>>()

  constructor(options: ConversationOptions, open: (options: ConversationOptions) => Promise<Conversation>) {
    const { home, project, env, config, memory, now } = options
    this.#options = options
    this.#box = new NewsBox(home, project)
    this.scheduling = new Scheduling(
      {
        home,
        project,
        env,
        open,
        config: async () => config,
        withMemory: memory !== undefined,
        onNews: news => this.#tell({ ...news, times: 1 }),
      },
      { now, ...config.schedule },
    )
  }

  tools(): Tool[] {
    const { answersJob = false } = this.#options
    const conversation = answersJob ? 'run' : this.isAttended ? 'attended' : 'unattended'
    return scheduleTools({ schedule: this.scheduling.schedule, conversation })
  }

  /** From now on jobs begin here, unless another process of the project does that; what they came to is told. */
  begin(agent: Agent): void {
    this.#agent = agent
    this.scheduling.start()
    this.#looking = setInterval(() => void this.#lookForNews(), LOOK_FOR_NEWS_MS).unref()
  }

  /** Whether somebody stays to hear what jobs come to; else the conversation ends with its answer. */
  get isAttended(): boolean {
    return this.#options.attended ?? false
  }

  /** Whether something of it would end with the conversation: a run, or a job that is kept nowhere else. */
  get isBusy(): boolean {
    const { scheduler, schedule } = this.scheduling
    return this.#runs.size > 0 || scheduler.live.length > 0 || schedule.jobs({ durable: false }).length > 0
  }

  /** Begins a job now; what comes of it is told when it has ended. Throws when it cannot begin. */
  runSoon(id: string): void {
    this.scheduling.schedule.get(id)
    const run = this.#runAndTell(id).finally(() => this.#runs.delete(run))
    this.#runs.add(run)
  }

  /** Answers a job now, for somebody who waits for it. */
  run(id: string): Promise<ManualRun> {
    return this.scheduling.runNow(id, this.#ending.signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking)
    this.#ending.abort(new Error('the conversation ended'))
    await Promise.all(this.#runs)
    await this.scheduling[Symbol.asyncDispose]()
    const left = this.scheduling.schedule.jobs({ durable: false }).length
    if (left > 0)
      this.#agent?.tell({
        type: 'aside',
        job: 'schedule',
        text: `${left} ${left === 1 ? 'job' : 'jobs'} of this session ended with it.`,
        isDone: false,
      })
  }

  async #runAndTell(id: string): Promise<void> {
    const about = { source: id, at: new Date().toISOString(), times: 1 }
    try {
      const done = await this.run(id)
      const { name } = done
      if ('busy' in done) this.#tell({ ...about, kind: 'notice', name, text: `${name} runs already.` })
      else if ('error' in done.ending)
        this.#tell({
          ...about,
          kind: 'notice',
          name,
          text: `${name} ${done.ending.status}: ${done.ending.error}`,
        })
      else this.#tell({ ...about, kind: 'result', name, text: done.result?.text ?? '' })
    } catch (error) {
      this.#tell({
        ...about,
        kind: 'notice',
        name: id,
        text: `Job ${id} could not be run: ${because(error)}`,
      })
    }
  }

  /** What was done while nobody was there, or is done by the gateway now. */
  async #lookForNews(): Promise<void> {
    try {
      const changed = statSync(this.#box.path, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (changed === this.#seen) return
      for (const news of await this.#box.take()) this.#tell(news)
      this.#seen = changed // what came meanwhile is seen the next time
      this.#problem = ''
    } catch (error) {
      const problem = because(error)
      if (problem !== this.#problem) this.#say(`What jobs came to cannot be read just now: ${problem}`)
      this.#problem = problem
    }
  }

  /** The person at once, the agent with the next message. */
  #tell({ source, kind, name, text, times, at }: News): void {
    const told = text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD - 1)}…` : text
    const before = times > 1 ? ` (the last of ${times} times)` : ''
    const isDone = kind === 'result'
    this.#say(isDone ? `${name}${before}: ${told}` : `${told}${before}`, isDone)
    this.#agent?.inform(`job ${source}`, { job: name, at, kind, text: told, ...(times > 1 && { times }) })
  }

  #say(text: string, isDone = false): void {
    this.#agent?.tell({ type: 'aside', job: 'schedule', text, isDone })
  }
}
