import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ensureDirectory,
  JsonlFile,
  readIfThere,
  readJsonl,
  systemCode,
  withLock,
  writeFileAtomic,
} from '../store/index.ts'

/** A summary of something that was talked about: memory of middle length. */
export interface HistoryEntry {
  cursor: number
  /** `2026-04-03 00:02`, in the owner's time zone, as other programs write it. */
  timestamp: string
  content: string
}

/** A batch that no dream could digest. */
export interface DeadEntry extends HistoryEntry {
  reason: string
  setAside: string
}

/** How many entries not yet dreamt are shown in the prompt (2-memory.md). */
const UNDREAMT_SHOWN = 50
/** How many dreamt entries are kept for looking back. */
const DREAMT_KEPT = 1_000

/** Content that no model could summarise begins with this. */
export const RAW = '[RAW]'

/**
 * What has been summarised and not yet been dreamt. Append-only; `.cursor` is the next number to be given,
 * `.dream_cursor` the last one that was dreamt. The file is what counts: cursors that were lost, or have run
 * ahead of it, are put right from it.
 */
export class History {
  readonly path: string
  #directory: string
  #now: () => Date

  constructor(memoryDirectory: string, { now = () => new Date() }: { now?: () => Date } = {}) {
    this.#directory = memoryDirectory
    this.path = join(memoryDirectory, 'history.jsonl')
    this.#now = now
  }

  /** On the disk when this returns. */
  append(content: string, { at = this.#now() }: { at?: Date } = {}): Promise<HistoryEntry> {
    return this.#exclusively(async () => {
      const cursor = await this.#next()
      // Written down before there is an entry that a cursor which has run ahead would take for dreamt.
      if (((await this.#readCursor('.dream_cursor')) ?? 0) >= cursor)
        await this.#writeCursor('.dream_cursor', cursor - 1)
      const entry: HistoryEntry = { cursor, timestamp: timestamp(at), content }
      await using file = await JsonlFile.open(this.path)
      await file.append([entry], { sync: true })
      await this.#writeCursor('.cursor', cursor + 1)
      return entry
    })
  }

  /** Every entry, in order. Lines that are none are passed over and stay. */
  entries(): Promise<HistoryEntry[]> {
    return readEntries(this.path)
  }

  /** What no dream has seen yet: the newest `limit`, oldest first. */
  async undreamt(limit = UNDREAMT_SHOWN): Promise<HistoryEntry[]> {
    const waiting = await this.waiting()
    return waiting.slice(-limit)
  }

  /** What the next dream takes up: all that waits, or the oldest `limit` of it. */
  async waiting(limit = Number.POSITIVE_INFINITY): Promise<HistoryEntry[]> {
    const dreamt = await this.dreamtUpTo()
    return (await this.entries()).filter(({ cursor }) => cursor > dreamt).slice(0, limit)
  }

  /** The last entry that was dreamt; 0 when none was. Never beyond the last there is. */
  async dreamtUpTo(): Promise<number> {
    const stated = (await this.#readCursor('.dream_cursor')) ?? 0
    const last = lastOf(await this.entries())
    return last === 0 ? stated : Math.min(stated, last)
  }

  /** To be called when what was made of the entries is durable; never goes back. */
  markDreamt(cursor: number): Promise<void> {
    return this.#exclusively(async () => {
      const dreamt = Math.max(await this.dreamtUpTo(), Math.min(cursor, lastOf(await this.entries())))
      await this.#writeCursor('.dream_cursor', dreamt)
    })
  }

  /** Lets a dream see entries again that it has seen. */
  rewind(cursor: number): Promise<void> {
    return this.#exclusively(async () => {
      await this.#writeCursor('.dream_cursor', Math.max(0, Math.min(cursor, await this.dreamtUpTo())))
    })
  }

  /** Drops the oldest dreamt entries; what was not dreamt stays, and so does the last entry. Returns how many went. */
  compact(keep = DREAMT_KEPT): Promise<number> {
    return this.#exclusively(async () => {
      const dreamt = await this.dreamtUpTo()
      const entries = await this.entries()
      const last = lastOf(entries)
      const old = entries.filter(({ cursor }) => cursor <= dreamt && cursor !== last)
      const dropped = new Set(old.slice(0, Math.max(0, old.length - keep)).map(({ cursor }) => cursor))
      if (dropped.size === 0) return 0
      const lines = (await readFile(this.path, 'utf8')).split('\n')
      await writeFileAtomic(this.path, lines.filter(line => !dropped.has(cursorOf(line) ?? 0)).join('\n'))
      return dropped.size
    })
  }

  /** Puts entries away that were tried in vain, and lets dreams go on after them. */
  setAside(entries: readonly HistoryEntry[], reason: string): Promise<void> {
    return this.#exclusively(async () => {
      const setAside = this.#now().toISOString()
      const known = new Set((await this.dead()).map(({ cursor }) => cursor))
      await using file = await JsonlFile.open(this.#deadPath)
      const dead = entries
        .filter(({ cursor }) => !known.has(cursor))
        .map((entry): DeadEntry => ({ ...entry, reason, setAside }))
      if (dead.length > 0) await file.append(dead, { sync: true })
      const upTo = lastOf(entries)
      if (upTo > (await this.dreamtUpTo())) await this.#writeCursor('.dream_cursor', upTo)
    })
  }

  async dead(): Promise<DeadEntry[]> {
    return (await readEntries(this.#deadPath)) as DeadEntry[]
  }

  get #deadPath(): string {
    return join(this.#directory, 'history.dead.jsonl')
  }

  /** One more than the last; where the file is empty or gone, what the cursors still know. */
  async #next(): Promise<number> {
    const last = lastOf(await this.entries())
    if (last > 0) return last + 1
    const dreamt = (await this.#readCursor('.dream_cursor')) ?? 0
    return Math.max((await this.#readCursor('.cursor')) ?? 1, dreamt + 1)
  }

  async #readCursor(name: string): Promise<number | undefined> {
    const text = (await readIfThere(join(this.#directory, name)))?.toString('utf8').trim()
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }

  #writeCursor(name: string, value: number): Promise<void> {
    return writeFileAtomic(join(this.#directory, name), `${value}\n`)
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (!existsSync(this.#directory)) await ensureDirectory(this.#directory)
    return withLock(join(this.#directory, '.history-lock'), work, { note: 'writing the history' })
  }
}

/** The highest number; 0 when there is none. */
function lastOf(entries: readonly HistoryEntry[]): number {
  return entries.reduce((highest, { cursor }) => Math.max(highest, cursor), 0)
}

async function readEntries(path: string): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = []
  try {
    for await (const { value } of readJsonl(path)) if (isEntry(value)) found.push(value)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  return found
}

function cursorOf(line: string): number | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value.cursor : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false
  const { cursor, timestamp, content } = value as Partial<HistoryEntry>
  return (
    Number.isSafeInteger(cursor) &&
    Number(cursor) > 0 &&
    typeof timestamp === 'string' &&
    typeof content === 'string'
  )
}

function timestamp(at: Date): string {
  return at.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)
}
