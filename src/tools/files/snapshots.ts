/** What files were before tools changed them, so that a conversation can be taken back together with its work. */
import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  because,
  contentHash,
  ensureDirectory,
  JsonlFile,
  readIfThere,
  readJsonl,
  realPathOf,
  syncDirectory,
  systemCode,
  writeFileAtomic,
} from '../../store/index.ts'
import { sizeInWords } from './kind.ts'

/** Messages whose changes can be taken back; older ones are dropped. */
const MOST_POINTS = 100
const LARGEST_KEPT_BYTES = 10 * 1024 * 1024
/** How many points too many there may be before the old ones are cleared away. */
const SLACK = 20

const change = z.object({
  message: z.string(),
  path: z.string(),
  at: z.string(),
  /** Hash of what was there; null for nothing; undefined where it was too large to be kept. */
  before: z.string().nullable().optional(),
  size: z.number().optional(),
  mode: z.number().optional(),
  /** Hash of what was about to be put there; null for nothing; undefined where nobody could tell. */
  next: z.string().nullable().optional(),
})
type Change = z.output<typeof change>

export interface SnapshotPoint {
  message: string
  at: string
  paths: string[]
}

export interface Rewound {
  /** Put back to what they were. */
  restored: string[]
  /** Had been created since. */
  removed: string[]
  /** Left as they are. */
  skipped: Array<{ path: string; reason: string }>
}

/** Kept in a directory of the session: `changes.jsonl`, and contents by their hash. */
export class Snapshots {
  readonly directory: string
  #now: () => Date
  #records: Promise<Change[]> | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(directory: string, now = () => new Date()) {
    this.directory = directory
    this.#now = now
  }

  /**
   * To be called before a file is changed, created or deleted while a message is answered. `next` is the hash of what
   * will be there, null for nothing: by it, our own change is told from somebody else's. Returns why it could not be
   * kept, when it could not.
   */
  before(path: string, message: string, next?: string | null): Promise<string | undefined> {
    return this.#inTurn(() => this.#keep(path, message, next))
  }

  /** The messages that changed files, oldest first. */
  list(): Promise<SnapshotPoint[]> {
    return this.#inTurn(async () => pointsOf(await this.#load()))
  }

  /**
   * Makes every file that was changed since a message what it was when the message came. A message that changed
   * nothing is not known here: give the ids of those that followed it as `later`.
   */
  rewind(message: string, later: readonly string[] = []): Promise<Rewound> {
    return this.#inTurn(() => this.#takeBack(new Set([message, ...later])))
  }

  async #keep(path: string, message: string, next: string | null | undefined): Promise<string | undefined> {
    const records = await this.#load()
    const real = await realPathOf(path)
    const found = await this.#look(real)
    const kept = found.content !== undefined
    // What it was in between is only needed to know whose it is: the hash is enough.
    const first = !records.some(record => record.message === message && record.path === real)
    if (kept && first && found.content) await this.#store(found.hash ?? '', found.content)
    await this.#append({
      message,
      path: real,
      at: this.#now().toISOString(),
      ...(found.hash !== undefined && { before: found.hash }),
      ...(found.size !== undefined && { size: found.size }),
      ...(found.mode !== undefined && { mode: found.mode }),
      ...(next !== undefined && { next }),
    })
    if (pointsOf(records).length > MOST_POINTS + SLACK) await this.#clearOld(records)
    if (kept) return undefined
    return `${real} has ${sizeInWords(found.size ?? 0)}; what it was is not kept, so rewinding will not bring it back.`
  }

  async #look(path: string): Promise<Look> {
    const stats = await stat(path).catch(ignoreMissing)
    if (!stats) return { content: null, hash: null }
    const { size } = stats
    const mode = stats.mode & 0o7777
    if (size > LARGEST_KEPT_BYTES) return { size, mode }
    const content = await readFile(path)
    return { content, hash: contentHash(content), size, mode }
  }

  async #store(hash: string, content: Buffer): Promise<void> {
    const path = this.#contentPath(hash)
    if (await stat(path).catch(ignoreMissing)) return
    await ensureDirectory(dirname(path))
    await writeFileAtomic(path, content)
  }

  async #takeBack(messages: ReadonlySet<string>): Promise<Rewound> {
    const records = await this.#load()
    const from = records.findIndex(({ message }) => messages.has(message))
    const done: Rewound = { restored: [], removed: [], skipped: [] }
    if (from < 0) return done
    const since = records.slice(from)
    for (const path of new Set(since.map(({ path }) => path))) {
      const own = since.filter(record => record.path === path)
      await this.#restore(path, own, done).catch(error => {
        done.skipped.push({ path, reason: because(error) })
      })
    }
    // What was left stays known, so that it can be tried again.
    const left = new Set(done.skipped.map(({ path }) => path))
    const remaining = [...records.slice(0, from), ...since.filter(({ path }) => left.has(path))]
    await this.#replaceAll(remaining)
    return done
  }

  async #restore(path: string, records: readonly Change[], done: Rewound): Promise<void> {
    const [first] = records
    if (!first) return
    if ((await realPathOf(path)) !== path) {
      done.skipped.push({ path, reason: 'a symbolic link leads elsewhere from there now' })
      return
    }
    const current = await readIfThere(path)
    const hash = current ? contentHash(current) : null
    const reason = whyNot(hash, records)
    if (reason) {
      done.skipped.push({ path, reason })
      return
    }
    if (first.before === hash) {
      ;(hash === null ? done.removed : done.restored).push(path)
      return
    }
    if (first.before === null) {
      await unlink(path)
      await syncDirectory(dirname(path))
      done.removed.push(path)
      return
    }
    const content = await readIfThere(this.#contentPath(first.before ?? ''))
    if (!content || contentHash(content) !== first.before) {
      done.skipped.push({ path, reason: 'what it was is no longer kept' })
      return
    }
    await ensureDirectory(dirname(path), 0o777)
    const mode = first.mode ?? 0o644
    await writeFileAtomic(path, content, { expected: hash, mode, root: dirname(path) })
    done.restored.push(path)
  }

  async #load(): Promise<Change[]> {
    this.#records ??= readRecords(this.#indexPath)
    return this.#records
  }

  async #append(entry: Change): Promise<void> {
    const records = await this.#load()
    await ensureDirectory(this.directory)
    await using index = await JsonlFile.open(this.#indexPath)
    await index.append([entry], { sync: true })
    records.push(entry)
  }

  async #clearOld(records: readonly Change[]): Promise<void> {
    const kept = new Set(
      pointsOf(records)
        .slice(-MOST_POINTS)
        .map(({ message }) => message),
    )
    await this.#replaceAll(records.filter(({ message }) => kept.has(message)))
  }

  async #replaceAll(records: readonly Change[]): Promise<void> {
    await ensureDirectory(this.directory)
    await writeFileAtomic(this.#indexPath, records.map(entry => `${JSON.stringify(entry)}\n`).join(''))
    this.#records = Promise.resolve([...records])
    const used = new Set(records.map(({ before }) => before))
    const contents = join(this.directory, 'contents')
    for (const name of (await readdir(contents).catch(ignoreMissing)) ?? [])
      if (!used.has(name)) await unlink(join(contents, name))
  }

  get #indexPath(): string {
    return join(this.directory, 'changes.jsonl')
  }

  #contentPath(hash: string): string {
    return join(this.directory, 'contents', hash)
  }

  /** One after the other: two changes at once must not both believe to be the first. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }
}

interface Look {
  /** Null when there is no file, undefined when it is too large. */
  content?: Buffer | null
  hash?: string | null
  size?: number
  mode?: number
}

/** Why a file is not taken back, given what is there now. */
function whyNot(hash: string | null, records: readonly Change[]): string | undefined {
  const [first] = records
  if (!first) return 'nothing is known of it'
  if (first.before === hash) return undefined
  const following = [...records.slice(1).map(({ before }) => before), hash]
  const ours = records.every((record, at) => isOurs(record, following[at]))
  if (!ours) return 'somebody else changed it since'
  if (first.before === undefined) return `it had ${sizeInWords(first.size ?? 0)}, too much to be kept`
  return undefined
}

/** Whether what was found after a change is what the change made of it. */
function isOurs({ before, next }: Change, found: string | null | undefined): boolean {
  // One that was announced and then failed or was killed leaves what was there before.
  return next === undefined || found === undefined || found === next || found === before
}

function pointsOf(records: readonly Change[]): SnapshotPoint[] {
  const points = new Map<string, SnapshotPoint>()
  for (const { message, path, at } of records) {
    const point = points.get(message) ?? { message, at, paths: [] }
    if (!point.paths.includes(path)) point.paths.push(path)
    points.set(message, point)
  }
  return [...points.values()]
}

async function readRecords(path: string): Promise<Change[]> {
  const records: Change[] = []
  try {
    for await (const { value } of readJsonl(path)) {
      const read = change.safeParse(value)
      if (read.success) records.push(read.data)
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  return records
}

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}
