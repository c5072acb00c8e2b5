import { appendFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { findSecrets } from '../../memory/index.ts'
import { PRIVATE_FILE, readIfThere, writeFileAtomic } from '../../store/index.ts'

/** How many messages are offered again; the file holds at most twice as many. */
const KEPT = 500
/** What is longer was pasted, and nobody looks for it with an arrow. */
const LONGEST = 5_000

/** What was typed in any conversation of this home: a private file, bounded, without secrets. */
export class TypedHistory {
  #path: string
  #entries: string[]

  private constructor(path: string, entries: string[]) {
    this.#path = path
    this.#entries = entries
  }

  static async open(home: string): Promise<TypedHistory> {
    const path = join(home, 'typed.jsonl')
    const read = (await readIfThere(path).catch(() => undefined)) ?? ''
    const entries = String(read).split('\n').flatMap(readEntry)
    if (entries.length > 2 * KEPT)
      await writeFileAtomic(path, linesOf(entries.slice(-KEPT)), { mode: PRIVATE_FILE }).catch(() => {})
    return new TypedHistory(path, entries.slice(-KEPT))
  }

  /** The oldest first. */
  get entries(): readonly string[] {
    return this.#entries
  }

  /** What begins with a space is not kept, as in a shell. A file that cannot be written costs nobody a message. */
  async add(text: string): Promise<void> {
    if (text.trim() === '' || text.startsWith(' ') || text === this.#entries.at(-1)) return
    this.#entries.push(text)
    if (this.#entries.length > KEPT) this.#entries.shift()
    if (text.length > LONGEST || (await findSecrets(text)).length > 0) return
    await appendFile(this.#path, linesOf([text]), { mode: PRIVATE_FILE }).catch(() => {})
    await chmod(this.#path, PRIVATE_FILE).catch(() => {})
  }
}

function linesOf(entries: readonly string[]): string {
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('')
}

/** A line that somebody spoilt is left out. */
function readEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' ? [entry] : []
  } catch {
    return []
  }
}
