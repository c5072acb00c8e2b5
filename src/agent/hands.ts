/** What an agent can do in one conversation, and what has to be ended with it. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, Home, Project } from '../config/index.ts'
import type { Memory, Origin } from '../memory/index.ts'
import { SessionIndex } from '../session/index.ts'
import { ownIdentity } from '../store/index.ts'
import {
  askUserTool,
  BackgroundShells,
  bashTools,
  FileLocks,
  fileTools,
  memoryTools,
  SeenFiles,
  Snapshots,
  sessionTools,
  TaskHands,
  type Tool,
  todoTool,
  type Workspace,
  webTools,
} from '../tools/index.ts'
import type { TaskEvent } from '../work/index.ts'

export interface HandsOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  memory: Memory | undefined
  /** Where the person is. */
  directory: string
  /** Private, of this session: output that is too long, what files were before. */
  outputs: string
  session(): string
  /** Tells hooks of a task; returns what went wrong with them. */
  onTask(event: TaskEvent): Promise<string[]>
  /** Of memories that are saved. */
  origin(): Origin
  /** The message that is being answered: files can be put back to what they were when it came. */
  message(): string
  /** Whether a page may lead to another host. */
  mayFollow(url: string): Promise<boolean>
}

export class Hands {
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly shells = new BackgroundShells()
  readonly snapshots: Snapshots
  readonly seen = new SeenFiles()
  #tasks: TaskHands
  #sessions: SessionIndex | undefined

  constructor(options: HandsOptions) {
    const { home, project, config, env, memory, outputs, session, origin, message, mayFollow } = options
    const root = realpathSync(project.root)
    this.workspace = { root, directory: realDirectory(options.directory, root), outputs }
    this.snapshots = new Snapshots(join(outputs, 'snapshots'))
    const { workspace, seen, snapshots } = this
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
    this.tools = [
      ...(memory ? [...memoryTools(memory, { session, origin }), ...sessionTools(index, session)] : []),
      ...fileTools({
        workspace,
        seen,
        snapshots,
        message,
        locks: new FileLocks(join(home.cache, 'file-locks')),
      }),
      ...bashTools({
        workspace,
        background: this.shells,
        environment: env,
        sandbox: { ...config.sandbox, hide: [home.path] },
      }),
      ...webTools({ settings: config.web, env, mayFollow }),
      askUserTool(),
      todoTool(),
      ...this.#tasks.tools(),
    ]
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    this.#sessions?.[Symbol.dispose]()
    await this.#tasks.close()
    await this.shells.close()
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
