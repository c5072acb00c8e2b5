import type { Command } from 'commander'
import {
  findHome,
  findProject,
  type Home,
  type LoadedConfig,
  loadConfig,
  type Project,
} from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { ReverieError } from '../store/index.ts'
import { Output } from './output.ts'

/** Flags that every command takes, before or after its name. */
export interface SharedFlags {
  home?: string
  project?: string
  memoryDir?: string
  model?: string
  /** False with `--no-memory`: nothing is recalled, nothing is kept. */
  memory: boolean
  json?: boolean
}

/** One run of the program: where it is, what it was told, and where its answer goes. */
export class Invocation {
  readonly flags: SharedFlags
  readonly output: Output
  readonly env = process.env

  constructor(command: Command) {
    this.flags = command.optsWithGlobals<SharedFlags>()
    this.output = new Output(this.flags.json ?? false)
  }

  get home(): Home {
    return findHome(this.flags.home, this.env)
  }

  get project(): Project {
    return findProject(this.flags.project ?? workingDirectory())
  }

  config(): Promise<LoadedConfig> {
    const { home, project, env, flags } = this
    return loadConfig({ home, project, env, flags: { model: flags.model, memoryDir: flags.memoryDir } })
  }

  async memory(): Promise<Memory> {
    const { config } = await this.config()
    return Memory.open({ home: this.home, project: this.project, directory: config.memory.dir })
  }

  /** A command that did its work and found that all is not well. */
  fail(): void {
    process.exitCode = 1
  }
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new ReverieError(
      'The directory that you are in no longer exists. Change to another, or give --project DIR.',
      { cause },
    )
  }
}
