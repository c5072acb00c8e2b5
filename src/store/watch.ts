import { existsSync, type FSWatcher, watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from './error.ts'

export interface DirectoryChange {
  file: string
  kind: 'added' | 'changed' | 'removed'
}

export interface WatchOptions {
  /** Events that come closer together than this are told together. */
  settleMs?: number
  /** How often to look in any case: notifications get lost, and some file systems send none. */
  pollMs?: number
  /** Which file names count. */
  filter?: (name: string) => boolean
}

const SETTLE_MS = 50
const POLL_MS = 10_000

/**
 * Tells what changed among the files of one directory, whoever changed it. Notifications of the system
 * only say when to look; what changed is found by comparing listings, so nothing is told twice. The
 * directory may appear later, vanish and come back. Does not keep the process alive.
 */
export class DirectoryWatcher implements AsyncDisposable {
  readonly directory: string
  #onChange: (changes: DirectoryChange[]) => void
  #options: Required<WatchOptions>
  #seen = new Map<string, string>()
  #watcher: FSWatcher | undefined
  #poll: NodeJS.Timeout
  #settle: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #closed = false

  private constructor(
    directory: string,
    onChange: (changes: DirectoryChange[]) => void,
    options: WatchOptions,
  ) {
    this.directory = directory
    this.#onChange = onChange
    this.#options = { settleMs: SETTLE_MS, pollMs: POLL_MS, filter: () => true, ...options }
    this.#poll = setInterval(() => this.#lookSoon(), this.#options.pollMs)
    this.#poll.unref()
  }

  /** Watching has begun when this resolves: every later change is told. */
  static async start(
    directory: string,
    onChange: (changes: DirectoryChange[]) => void,
    options: WatchOptions = {},
  ): Promise<DirectoryWatcher> {
    const watcher = new DirectoryWatcher(directory, onChange, options)
    watcher.#listen()
    // In the same queue as later looks, so that none of them compares with a listing not yet made.
    watcher.#looking = watcher.#list().then(found => {
      watcher.#seen = found ?? new Map()
    })
    await watcher.#looking
    return watcher
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#poll)
    clearTimeout(this.#settle)
    this.#watcher?.close()
    await this.#looking
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * To the directory, or while it is not there to the nearest one above it, which sees it come. Each time
   * anew: whether what has this name is still what was listened to cannot be told, since a directory that
   * is made right after another was removed can have its inode and its time of birth.
   */
  #listen(): void {
    const before = this.#watcher
    const there = nearestThere(this.directory)
    try {
      const watcher = watch(there, { persistent: false }, () => this.#lookSoon())
      watcher.on('error', () => watcher.close())
      this.#watcher = watcher
    } catch {
      this.#watcher = undefined // gone just now, or no watches left: polling goes on
    }
    before?.close()
    // What came between the look and the listening sent no notification.
    if (nearestThere(this.directory) !== there) this.#lookSoon()
  }

  #lookSoon(): void {
    if (this.#closed || this.#settle) return
    this.#settle = setTimeout(() => {
      this.#settle = undefined
      this.#looking = this.#looking.then(() => this.#look())
    }, this.#options.settleMs)
    this.#settle.unref()
  }

  async #look(): Promise<void> {
    if (this.#closed) return
    this.#listen()
    const found = await this.#list()
    if (this.#closed) return
    const changes = compareListings(this.#seen, found ?? new Map())
    this.#seen = found ?? new Map()
    if (changes.length > 0) this.#onChange(changes)
  }

  /** Undefined when the directory is not there. */
  async #list(): Promise<Map<string, string> | undefined> {
    let names: string[]
    try {
      names = await readdir(this.directory)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      return this.#seen // unreadable for now: no news
    }
    const found = new Map<string, string>()
    for (const name of names.filter(this.#options.filter)) {
      const stats = await lstat(join(this.directory, name), { bigint: true }).catch(() => undefined)
      if (stats?.isFile()) found.set(name, `${stats.ino}:${stats.mtimeNs}:${stats.size}`)
    }
    return found
  }
}

/** The directory itself when it is there, else the nearest above it. */
function nearestThere(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(at) || at === dirname(at)) return at
  }
}

export function compareListings(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): DirectoryChange[] {
  const changes: DirectoryChange[] = []
  for (const [file, stamp] of after) {
    const old = before.get(file)
    if (old === undefined) changes.push({ file, kind: 'added' })
    else if (old !== stamp) changes.push({ file, kind: 'changed' })
  }
  for (const file of before.keys()) if (!after.has(file)) changes.push({ file, kind: 'removed' })
  return changes
}
