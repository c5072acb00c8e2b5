import { join } from 'node:path'
import { contentHash, ensureDirectory, JsonlFile, readJsonl, systemCode } from '../store/index.ts'

/** One thing that was imported: where it was, what it said then, and the memory it became. */
export interface Imported {
  /** The program it came from, such as `claude-code`. */
  source: string
  /** What names it there: a path, an id. */
  id: string
  hash: string
  /** `scope/file` of the memory, or null when it was merged into others or left out. */
  memory: string | null
  at: string
}

/** `new`: never seen · `unchanged`: as it was imported, whatever became of it here · `changed`: says something else. */
export type ImportState = 'new' | 'unchanged' | 'changed'

/**
 * What has been imported before. What was since merged, corrected or forgotten here does not come back with the
 * next import: only what changed at its source is looked at again.
 */
export class ImportLedger {
  #path: string
  #entries: Map<string, Imported>

  private constructor(path: string, entries: Map<string, Imported>) {
    this.#path = path
    this.#entries = entries
  }

  static async open(directory: string): Promise<ImportLedger> {
    const path = join(directory, 'imports.jsonl')
    const entries = new Map<string, Imported>()
    try {
      for await (const { value } of readJsonl(path)) {
        if (isImported(value)) entries.set(keyOf(value.source, value.id), value)
      }
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
    }
    return new ImportLedger(path, entries)
  }

  state(source: string, id: string, content: string | Uint8Array): ImportState {
    const known = this.#entries.get(keyOf(source, id))
    if (!known) return 'new'
    return known.hash === contentHash(content) ? 'unchanged' : 'changed'
  }

  /** The memory that something became when it was imported. */
  memoryOf(source: string, id: string): string | null | undefined {
    return this.#entries.get(keyOf(source, id))?.memory
  }

  /** On the disk when this returns; a later record of the same thing replaces an earlier one. */
  async record(
    source: string,
    id: string,
    content: string | Uint8Array,
    memory: string | null,
    now: Date,
  ): Promise<void> {
    const entry: Imported = { source, id, hash: contentHash(content), memory, at: now.toISOString() }
    await ensureDirectory(join(this.#path, '..'))
    await using file = await JsonlFile.open(this.#path)
    await file.append([entry], { sync: true })
    this.#entries.set(keyOf(source, id), entry)
  }
}

function keyOf(source: string, id: string): string {
  return JSON.stringify([source, id])
}

function isImported(value: unknown): value is Imported {
  if (typeof value !== 'object' || value === null) return false
  const { source, id, hash } = value as Partial<Imported>
  return [source, id, hash].every(part => typeof part === 'string')
}
