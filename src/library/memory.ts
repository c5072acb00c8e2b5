import { findHome, findProject, loadConfig } from '../config/index.ts'
import type { DreamOptions, DreamOutcome } from '../dream/index.ts'
import { type Embedder, Memory } from '../memory/index.ts'

export interface OpenMemoryOptions {
  /** Where Reverie keeps everything; `$REVERIE_HOME`, else `~/.reverie`. */
  home?: string
  /** A directory of the project; the current one unless told. */
  project?: string
  /** Keeps the project's memories in this directory, and not in the home. */
  memoryDir?: string
  /** An embedding model, as a second signal for recall. Nothing needs one. */
  embedder?: Embedder
  /** The clock. */
  now?: () => Date
}

/** A memory that can dream: what is outside of the memory itself is loaded when it does. */
export type OpenedMemory = Memory & {
  /**
   * Consolidates: merges, corrects, lets go of what is stale; staged, checked, undone by `undo`. Skipped when it is not
   * time yet, unless forced.
   */
  dream(options?: DreamOptions): Promise<DreamOutcome>
}

/**
 * Opens the memory of a project, and the owner's own, which is true in every project.
 *
 * ```ts
 * using memory = await openMemory({ project: '.' })
 * await memory.save({ type: 'user', name: 'Prefers tabs', description: 'Indents with tabs', body: 'Use tabs.' })
 * const [best] = await memory.recall('how should I indent this?')
 * ```
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<OpenedMemory> {
  const home = findHome(options.home, process.env)
  const project = findProject(options.project ?? process.cwd())
  const flags = { memoryDir: options.memoryDir }
  const { config } = await loadConfig({ home, project, env: process.env, flags })
  const { embedder, now } = options
  const memory = await Memory.open({
    home,
    project,
    directory: config.memory.dir,
    embedder,
    ...(now && { now }),
  })
  return Object.assign(memory, {
    async dream(how: DreamOptions = {}) {
      const [{ dream }, { dreamContext }] = await Promise.all([
        import('../dream/index.ts'),
        import('../assembly/index.ts'),
      ])
      const context = dreamContext({ home, project, config, env: process.env, memory })
      return dream({ ...context, ...(now && { now }) }, how)
    },
  })
}
