/** What an agent can do in one conversation, and what has to be ended with it. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, Home, Project } from '../config/index.ts'
import type { Memory, Origin } from '../memory/index.ts'
import { SessionIndex } from '../session/index.ts'
import type { Skills } from '../skills/index.ts'
import { ownIdentity } from '../store/index.ts'
import {
  askUserTool,
  bashTools,
  FileLocks,
  fileTools,
  memoryTools,
  SeenFiles,
  Shells,
  Snapshots,
  sessionTools,
  skillTool,
  TaskHands,
  type Tool,
  todoTool,
  type Workspace,
  webTools,
} from '../tools/index.ts'
import type { BackgroundTasks, TaskEvent } from '../work/index.ts'

export interface HandsOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  memory: Memory | undefined
  skills: Skills
  /** Where the person is. */
  directory: string
  /** Private, of this session: output that is too long, what files were before. */
  outputs: string
  /** Where commands go on that take long. */
  background: BackgroundTasks
  session(): string
  /** Tells hooks of a task; returns what went wrong with them. */
  onTask(event: TaskEvent): Promise<string[]>
  /** Of memories that are saved. */
  origin(): Origin
  /** The message that is being answered: files can be put back to what they were when it came. */
  message(): string
  /** Whether a search may read a file that it comes by. */
  maySearch(path: string): boolean
  /** Whether a page may lead to another host. */
  mayFollow(url: string): Promise<boolean>
}

/** The tools of one agent, with a working directory and a knowledge of files that are its alone. */
export interface OwnHands {
  tools: readonly Tool[]
  workspace: Workspace
  seen: SeenFiles
}

export class Hands implements OwnHands {
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly seen: SeenFiles
  readonly snapshots: Snapshots
  #options: HandsOptions
  #locks: FileLocks
  #shells: Shells
  #tasks: TaskHands
  #sessions: SessionIndex | undefined
  /** Of memories and sessions, and of the rest: these know nothing of whoever uses them. */
  #shared: { first: readonly Tool[]; last: readonly Tool[] }

  constructor(options: HandsOptions) {
    const { home, project, config, env, memory, skills, outputs, session, origin, mayFollow } = options
    this.#options = options
    this.snapshots = new Snapshots(join(outputs, 'snapshots'))
    this.#locks = new FileLocks(join(home.cache, 'file-locks'))
    this.#shells = new Shells(options.background)
    const index = () => {
      this.#sessions ??= SessionIndex.open(home)
      return this.#sessions
    }
    this.#tasks = new TaskHands({
      home,
      project,
      owner: () => ({ name: session(), process: ownIdentity() }),
      onEvent: options.onTask,
    })
    const web = webTools({ settings: config.web, env, mayFollow })
    this.#shared = {
      first: memory ? [...memoryTools(memory, { session, origin }), ...sessionTools(index, session)] : [],
      last: [
        ...web,
        askUserTool(),
        todoTool(),
        skillTool(skills, { count: memory !== undefined }),
        ...this.#tasks.tools(),
      ],
    }
    const root = realpathSync(project.root)
    const workspace = { root, directory: realDirectory(options.directory, root), outputs }
    const own = this.#handsIn(workspace, new SeenFiles())
    ;[this.tools, this.workspace, this.seen] = [own.tools, own.workspace, own.seen]
  }

  /**
   * For a helper: the same tools, beginning where the agent is. What the agent has read the helper has not, unless it
   * begins with all that the agent was shown; neither overwrites what it has not seen itself.
   */
  forHelper(id: string, { knowsAll }: { knowsAll: boolean }): OwnHands {
    return this.#handsIn({ ...this.workspace }, new SeenFiles(knowsAll ? this.seen : undefined), id)
  }

  #handsIn(workspace: Workspace, seen: SeenFiles, by?: string): OwnHands {
    const { home, config, env, message, maySearch } = this.#options
    const { first, last } = this.#shared
    const [snapshots, locks, shells] = [this.snapshots, this.#locks, this.#shells]
    const sandbox = { ...config.sandbox, hide: [home.path] }
    const files = fileTools({ workspace, seen, snapshots, message, locks, maySearch })
    const commands = bashTools({ workspace, shells, by, environment: env, sandbox })
    return { tools: [...first, ...files, ...commands, ...last], workspace, seen }
  }

  /** Ends what still runs, in front and in the background. */
  async close(): Promise<void> {
    this.#sessions?.[Symbol.dispose]()
    await this.#tasks.close()
    await this.#shells.close()
  }
}

/** The person may be anywhere in the project; from outside of it, work begins at its root. */
function realDirectory(directory: string, root: string): string {
  try {
    const real = realpathSync(directory)
    return real === root || real.startsWith(`${root}/`) ? real : root
  } catch {
    return root
  }
}
