import type { Config, Home, Project } from '../../config/index.ts'
import type { DreamContext } from '../../dream/index.ts'
import type { Memory, MemoryChange } from '../../memory/index.ts'
import { SessionIndex } from '../../session/index.ts'
import type { TaskEvent } from '../../work/index.ts'

export interface LenderOptions {
  home: Home
  project: Project
  /** The settings, as they are now: a server runs for days. */
  config(): Promise<Config>
  env: NodeJS.ProcessEnv
  /** Whoever opened it closes it. */
  memory: Memory
}

type InTurn = <T>(change: () => Promise<T>) => Promise<T>

/** Changes one after the other: in one process, waiting in line beats asking again for the lock. */
function oneByOne(): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return change => {
    const done = turn.then(change)
    turn = done.catch(() => {}) // whoever asked is told
    return done
  }
}

/** What is lent to other programs: opened once, for any number of them. */
export class Lender implements AsyncDisposable {
  readonly home: Home
  #project: Project
  #memory: Memory
  #config: LenderOptions['config']
  #env: NodeJS.ProcessEnv
  #sessions: SessionIndex | undefined
  #listeners = new Set<(changes: MemoryChange[]) => void>()
  #watcher: Promise<AsyncDisposable> | undefined
  /** For changes of memory, and of the lists of tasks: each has its lock. */
  readonly inTurn = oneByOne()
  readonly tasksInTurn = oneByOne()

  constructor({ home, project, config, env, memory }: LenderOptions) {
    this.home = home
    this.#project = project
    this.#memory = memory
    this.#config = config
    this.#env = env
  }

  get project(): Project {
    return this.#project
  }

  get memory(): Memory {
    return this.#memory
  }

  /** Lends another project's from now on. Before anything was asked. */
  moveTo(project: Project, memory: Memory): void {
    this.#project = project
    this.#memory = memory
  }

  get sessions(): SessionIndex {
    this.#sessions ??= SessionIndex.open(this.home)
    return this.#sessions
  }

  /** The mind that dreams is only loaded for it. */
  async dreamContext(): Promise<DreamContext> {
    const { dreamContext } = await import('../../assembly/index.ts')
    const { home, project, memory } = this
    return dreamContext({ home, project, config: await this.#config(), env: this.#env, memory })
  }

  /** Tells the owner's hooks of a task; returns what went wrong with them. */
  async tellOfTask(event: TaskEvent): Promise<string[]> {
    const { taskHooks } = await import('../../agent/index.ts')
    const { home, project } = this
    const tell = await taskHooks({ home, project, config: await this.#config(), env: this.#env })
    return tell(event)
  }

  /** Tells of every change of memory, whoever made it, until what it returns is called. */
  async watch(listener: (changes: MemoryChange[]) => void): Promise<() => void> {
    this.#listeners.add(listener)
    this.#watcher ??= this.memory.watch(changes => {
      for (const each of this.#listeners) each(changes)
    })
    await this.#watcher
    return () => void this.#listeners.delete(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear()
    this.#sessions?.[Symbol.dispose]()
    await (await this.#watcher)?.[Symbol.asyncDispose]()
  }
}
