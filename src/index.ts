/** The library: what programs that embed Reverie import. */
import { findHome, findProject, loadConfig } from './config/index.ts'
import { type Embedder, Memory } from './memory/index.ts'

export * from './memory/index.ts'
export {
  ChangedMeanwhile,
  CorruptJournal,
  ForeignJournal,
  type JournalEntry,
  LockBusy,
  ReverieError,
  UnknownEntry,
  UnsafePath,
  WriteFailed,
} from './store/index.ts'

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

/**
 * Opens the memory of a project, and the owner's own, which is true in every project.
 *
 * ```ts
 * using memory = await openMemory({ project: '.' })
 * await memory.save({ type: 'user', name: 'Prefers tabs', description: 'Indents with tabs', body: 'Use tabs.' })
 * const [best] = await memory.recall('how should I indent this?')
 * ```
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const home = findHome(options.home, process.env)
  const project = findProject(options.project ?? process.cwd())
  const flags = { memoryDir: options.memoryDir }
  const { config } = await loadConfig({ home, project, env: process.env, flags })
  const { embedder, now } = options
  return Memory.open({ home, project, directory: config.memory.dir, embedder, ...(now && { now }) })
}
