import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, homeAt, type Project } from '../../config/index.ts'
import { Memory, type Scope } from '../../memory/index.ts'
import type { Ledgers } from './ledgers.ts'
import type { MemoryTarget } from './write-memory.ts'

export interface DeskOptions {
  agent: string
  home: Home
  /** The directory of a project's memories, if it is not the one in the home. */
  memoryDirectory?: (project: Project) => Promise<string | undefined>
  dryRun: boolean
  now: () => Date
}

/** The memories of the projects that something goes to, each opened once. */
export class Desks implements AsyncDisposable {
  #options: DeskOptions
  #ledgers: Ledgers
  #open = new Map<string, MemoryTarget>()
  #scratch: string | undefined

  constructor(options: DeskOptions, ledgers: Ledgers) {
    this.#options = options
    this.#ledgers = ledgers
  }

  async of({ slug, root }: { slug: string; root?: string }): Promise<MemoryTarget> {
    const open = this.#open.get(slug)
    if (open) return open
    const { agent, home, dryRun, now, memoryDirectory } = this.#options
    const project = { slug, root: root ?? join(home.projects, slug) }
    const directory = await memoryDirectory?.(project)
    const own = directory ?? join(home.projects, slug, 'memory')
    const clock = { now: now() }
    const memory = await Memory.open({
      home: dryRun ? await this.#scratchHome() : home,
      project,
      directory: dryRun ? undefined : directory,
      now: () => clock.now,
    })
    const place = (scope: Scope) =>
      scope === 'user' ? home.memory : scope === 'team' ? join(own, 'team') : own
    const ledger = await this.#ledgers.of(slug)
    const target: MemoryTarget = { agent, memory, clock, place, ledger, dryRun, now }
    this.#open.set(slug, target)
    return target
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { memory } of this.#open.values()) memory[Symbol.dispose]()
    if (this.#scratch !== undefined) await rm(this.#scratch, { recursive: true, force: true })
  }

  /** A dry run saves into a home that is thrown away, and so learns what would be refused. */
  async #scratchHome(): Promise<Home> {
    this.#scratch ??= await mkdtemp(join(tmpdir(), 'reverie-dry-run-'))
    return homeAt(this.#scratch)
  }
}
