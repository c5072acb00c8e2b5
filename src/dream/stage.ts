import { INDEX_FILE } from '../memory/index.ts'
import { ReverieError } from '../store/index.ts'
import type { DreamMemory, ProposedChange, Stage } from './dreamer.ts'

/** The file says that already: whoever wanted it is told, so that it does not go round in circles. */
class NothingChanged extends ReverieError {}

/** The copy on which a dream works: what it was, and what became of it. Nothing is written anywhere. */
export class MemoryStage implements Stage {
  #before: ReadonlyMap<string, string>
  #changes = new Map<string, ProposedChange>()

  /** Memories and the owner's own files. */
  constructor(files: readonly Pick<DreamMemory, 'file' | 'text'>[], index: string) {
    const texts = files.map(({ file, text }): [string, string] => [file, text])
    this.#before = new Map([...texts, [INDEX_FILE, index]])
  }

  async list(): Promise<string[]> {
    const files = new Set([...this.#before.keys(), ...this.#changes.keys()])
    return [...files].filter(file => this.#text(file) !== undefined).toSorted()
  }

  async read(file: string): Promise<string | undefined> {
    return this.#text(file)
  }

  async write(
    file: string,
    text: string,
    { action, reason }: { action: 'create' | 'update' | 'merge'; reason: string },
  ): Promise<void> {
    if (this.#text(file) === text) throw new NothingChanged(`${file} says exactly that already.`)
    this.#put(together(this.#changes.get(file), { file, text, action, reason }))
  }

  async remove(file: string, { reason, wentTo }: { reason: string; wentTo: string }): Promise<void> {
    if (this.#text(file) === undefined) throw new NothingChanged(`There is no ${file}.`)
    this.#put({ file, text: null, action: 'remove', reason, wentTo })
  }

  /** What differs from what was there. */
  changes(): (ProposedChange & { before: string | null })[] {
    return [...this.#changes.values()].flatMap(change => {
      const before = this.#before.get(change.file) ?? null
      return before === change.text ? [] : [{ ...change, before }]
    })
  }

  #put(change: ProposedChange): void {
    this.#changes.set(change.file, change)
  }

  #text(file: string): string | undefined {
    const change = this.#changes.get(file)
    return change ? (change.text ?? undefined) : this.#before.get(file)
  }
}

/** What was written more than once has all of its reasons, and stays what it was first. */
function together(earlier: ProposedChange | undefined, change: ProposedChange): ProposedChange {
  if (!earlier || earlier.text === null) return change
  const reasons = new Set([...earlier.reason.split('; '), change.reason])
  const action = earlier.action === 'update' ? change.action : earlier.action
  return { ...change, action, reason: [...reasons].join('; ') }
}
