/** What a page is served from: opened once, for every browser that looks. */
import { join } from 'node:path'
import { Conversations, openConversation, Scheduling } from '../../assembly/index.ts'
import { type Config, prepareHome } from '../../config/index.ts'
import { type Memory, MemoryIsOff } from '../../memory/index.ts'
import { SessionIndex } from '../../session/index.ts'
import {
  because,
  DirectoryWatcher,
  ensureDirectory,
  ReverieError,
  readSmallFile,
  systemCode,
} from '../../store/index.ts'
import { backgroundDirectory, NewsBox, TaskList } from '../../work/index.ts'
import type { Where } from '../actions/where.ts'
import { EventStream } from './event-stream.ts'
import { Recorder } from './recorder.ts'

export interface PlaceOptions extends Where {
  /** Undefined where nothing is recalled and nothing kept. Whoever opened it closes it. */
  memory: Memory | undefined
  version: string
  /** What whoever started it typed, and would type again. */
  start?: string
  /** Whether jobs begin here when their time comes; not where another part of the same process does that. */
  beginsJobs?: boolean
  /** For whoever looks on. */
  log(text: string): void
}

/** Notifications of the system get lost, and directories are made later: looked at this often in any case. */
const POLL_MS = 2_000
const SESSIONS_SETTLE_MS = 1_000
const TOGETHER_MS = 250
const DREAM_STATUS = 'dream-status.json'

export class Place implements AsyncDisposable {
  readonly options: PlaceOptions
  readonly events = new EventStream()
  readonly conversations: Conversations
  readonly scheduling: Scheduling
  #recorders = new Map<string, Recorder>()
  #sessions: SessionIndex | undefined
  #ending = new AbortController()
  #soon = new Map<string, NodeJS.Timeout>()
  #watchers = new AsyncDisposableStack()

  private constructor(options: PlaceOptions, scheduling: Scheduling) {
    this.options = options
    this.scheduling = scheduling
    this.conversations = new Conversations({ open: session => this.#openConversation(session) })
  }

  static async open(options: PlaceOptions): Promise<Place> {
    const { config } = await options.config()
    const place = new Place(options, schedulingOf(options, config))
    place.#followConversations()
    await place.#watch()
    if (options.beginsJobs ?? true) place.scheduling.start()
    return place
  }

  get memory(): Memory {
    const { memory } = this.options
    if (!memory) throw new MemoryIsOff()
    return memory
  }

  get sessions(): SessionIndex {
    this.#sessions ??= SessionIndex.open(this.options.home)
    return this.#sessions
  }

  /** What the page shows of a conversation that is open. */
  recorder(session: string): Recorder {
    const known = this.#recorders.get(session)
    if (known) return known
    const made = new Recorder(this.conversations.get(session))
    this.#recorders.set(session, made)
    return made
  }

  /** Aborted when all of it ends. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Something that everybody should look at again. */
  changed(topic: string, data: unknown = {}): void {
    this.events.tell({ topic, data })
  }

  /** The same, where many changes in a row are one reason to look. */
  #changedSoon(topic: string): void {
    if (this.#soon.has(topic)) return
    const tell = () => {
      this.#soon.delete(topic)
      this.changed(topic)
    }
    this.#soon.set(topic, setTimeout(tell, TOGETHER_MS).unref())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error('the page was closed'))
    this.events[Symbol.dispose]()
    await this.scheduling[Symbol.asyncDispose]()
    await this.conversations[Symbol.asyncDispose]()
    await this.#watchers[Symbol.asyncDispose]()
    this.#sessions?.[Symbol.dispose]()
  }

  async #openConversation(session: string | undefined) {
    const { home, project, env, memory } = this.options
    // Settings that were changed meanwhile hold from the next conversation on.
    const { config } = await this.options.config()
    return openConversation({
      home,
      project,
      config,
      env,
      attended: true,
      ...(memory && { memory }),
      ...(session !== undefined && { session }),
    })
  }

  #followConversations(): void {
    this.conversations.listen((session, event) => {
      if (event.type === 'closed') {
        this.#recorders.delete(session)
        this.#changedSoon('chats')
        return
      }
      const patches = this.recorder(session).on(event)
      if (patches.length > 0) this.events.tell({ topic: 'chat', session, data: { session, patches } })
      if (['working', 'idle', 'asked', 'settled'].includes(event.type)) this.#changedSoon('chats')
    })
  }

  async #watch(): Promise<void> {
    const { home, project, memory } = this.options
    const directory = join(home.projects, project.slug)
    // What is made later is noticed late; what is there is heard of at once.
    await prepareHome(home)
    for (const scope of memory ? (['user', 'project'] as const) : []) await makeShelf(this.memory, scope)
    const watch = async (path: string, topic: string) => this.#follow(path, () => this.changed(topic))
    // Every word that is said is written there: the list is looked at now and then.
    await this.#follow(join(directory, 'sessions'), () => this.changed('sessions'), SESSIONS_SETTLE_MS)
    await watch(new TaskList(home, project).directory, 'tasks')
    await watch(backgroundDirectory(home, project), 'background')
    await this.#follow(directory, names => {
      if (names.some(name => name === 'scheduled_tasks.json' || name === 'runs.json')) this.changed('cron')
    })
    await this.#follow(home.path, names => {
      if (names.includes('config.json')) this.changed('settings')
    })
    if (!memory) return
    this.#watchers.use(
      await memory.watch(changes => {
        if (changes.length > 0) this.changed('memory', { files: changes.map(({ file }) => file) })
      }),
    )
    const state = memory.state('project')
    await this.#follow(state, names => {
      if (names.includes(DREAM_STATUS)) this.changed('dream', dreamNow(state))
    })
  }

  async #follow(path: string, tell: (names: string[]) => void, settleMs?: number): Promise<void> {
    await ensureDirectory(path)
    const filter = (name: string) => !name.startsWith('.')
    const options = { pollMs: POLL_MS, filter, ...(settleMs !== undefined && { settleMs }) }
    const watcher = await DirectoryWatcher.start(
      path,
      changes => tell(changes.map(({ file }) => file)),
      options,
    )
    this.#watchers.use(watcher)
  }
}

/** What a job came to is told in the conversation that is open, or in the next one. */
function schedulingOf({ home, project, env, memory, config, log }: PlaceOptions, { schedule }: Config) {
  const box = new NewsBox(home, project)
  const unkept = (error: unknown) => log(`What a job came to could not be kept: ${because(error)}`)
  return new Scheduling(
    {
      home,
      project,
      env,
      open: openConversation,
      withMemory: memory !== undefined,
      config: async () => (await config()).config,
      onNews: news => box.add(news).catch(unkept),
      log,
    },
    schedule,
  )
}

/** A place that the owner named and that cannot be made is told of when something is kept there. */
async function makeShelf(memory: Memory, scope: 'user' | 'project'): Promise<void> {
  try {
    await ensureDirectory(memory.place(scope))
  } catch (error) {
    if (!(error instanceof ReverieError) && systemCode(error) === undefined) throw error
  }
}

/** How far the dream is that goes on now, in whichever process. */
function dreamNow(state: string): object {
  try {
    return JSON.parse(readSmallFile(join(state, DREAM_STATUS)) ?? '{}') as object
  } catch {
    return {} // it ended just now
  }
}
