/** The memories as a dream changes them, one step after another; what comes of it is proposed at the end. */
import { type EntryEdit, editEntry, parseEntry } from '../../memory/index.ts'
import type { DreamMaterial, DreamMemory, Finding, ProposedChange } from '../dreamer.ts'
import { isHollowed } from '../hollow.ts'
import { type Reading, readMemory } from './reading.ts'

/** A dream that removes more needs the owner's yes (3-dream.md). */
const REMOVED_AT_LEAST = 3
const REMOVED_SHARE = 0.2

interface Draft {
  memory: DreamMemory
  original: string
  /** What there is to lose of it. */
  whole: string
  isHollow: boolean
  action: ProposedChange['action']
  reasons: string[]
  removed?: { reason: string; wentTo: string }
  /** What its line in the index told beyond it, which stands in its body now. */
  takenUp?: string
  reading?: Reading
  /** The same without what was taken up. */
  plain?: Reading
}

export class Board {
  readonly findings: Finding[] = []
  readonly learnt: string[] = []
  readonly letGo: string[] = []
  readonly #drafts: Map<string, Draft>
  readonly #frozen: Set<string>
  #removalsLeft: number

  /** `frozen` names files that stay as they are, because the owner has undone a change of them. */
  constructor({ memories, maxRemovals }: DreamMaterial, frozen: ReadonlySet<string>) {
    this.#frozen = new Set(frozen)
    this.#removalsLeft =
      maxRemovals ?? Math.max(REMOVED_AT_LEAST, Math.floor(memories.length * REMOVED_SHARE))
    this.#drafts = new Map(
      memories.map(memory => [
        memory.file,
        {
          memory,
          original: memory.text,
          whole: memory.text,
          isHollow: false,
          action: 'update',
          reasons: [],
        },
      ]),
    )
  }

  /** What is there now, and may be compared: all but what is gone or frozen. */
  memories(): DreamMemory[] {
    return [...this.#drafts.values()]
      .filter(({ memory, removed }) => !removed && !this.#frozen.has(memory.file))
      .map(({ memory }) => memory)
  }

  /** Everything that is there now. */
  all(): DreamMemory[] {
    return [...this.#drafts.values()].filter(({ removed }) => !removed).map(({ memory }) => memory)
  }

  get(file: string): DreamMemory | undefined {
    const draft = this.#drafts.get(file)
    return draft?.removed ? undefined : draft?.memory
  }

  reading(file: string): Reading | undefined {
    const draft = this.#drafts.get(file)
    if (!draft || draft.removed) return undefined
    draft.reading ??= readMemory(draft.memory)
    return draft.reading
  }

  /** What a memory said before its line in the index told it more: two that say the same still do. */
  plainReading(file: string): Reading | undefined {
    const [draft, reading] = [this.#drafts.get(file), this.reading(file)]
    if (!draft || !reading || draft.takenUp === undefined) return reading
    const body = draft.memory.body.replace(draft.takenUp, () => '').trim()
    draft.plain ??= readMemory({ ...draft.memory, body })
    return draft.plain
  }

  takenUp(file: string): string | undefined {
    return this.#drafts.get(file)?.takenUp
  }

  takeUp(file: string, detail: string): void {
    const draft = this.#drafts.get(file)
    const body = `${draft?.memory.body ?? ''}\n\n${detail}`.trim()
    if (this.edit(file, { body }, 'took up the detail of its line in the index') && draft)
      draft.takenUp = detail
  }

  mayChange(file: string): boolean {
    const memory = this.get(file)
    return memory !== undefined && !memory.pinned && !this.#frozen.has(file)
  }

  mayRemove(file: string): boolean {
    return this.mayChange(file) && this.#removalsLeft > 0
  }

  /** It stays as it is from here on. */
  leave(file: string): void {
    this.#frozen.add(file)
  }

  isFrozen(file: string): boolean {
    return this.#frozen.has(file)
  }

  has(file: string): boolean {
    return this.#drafts.has(file)
  }

  edit(file: string, edit: EntryEdit, reason: string, action: 'update' | 'merge' = 'update'): boolean {
    const draft = this.#drafts.get(file)
    if (!draft || !this.mayChange(file)) return false
    const text = editEntry(draft.memory.text, edit)
    const parsed = parseEntry(text)
    if (!parsed.ok) return false
    // To cut a memory down to next to nothing counts as removing it, however many steps that takes.
    const isHollow = draft.whole !== '' && isHollowed(draft.whole, text)
    if (isHollow && !draft.isHollow && this.#removalsLeft === 0) return false
    if (isHollow !== draft.isHollow) this.#removalsLeft -= isHollow ? 1 : -1
    draft.isHollow = isHollow
    const { name, description, body, type, origin } = parsed.entry
    const confirmed = edit.updated === undefined ? draft.memory.confirmed : new Date(edit.updated)
    draft.memory = { ...draft.memory, text, name, description, body, type, origin, confirmed }
    draft.reasons.push(reason)
    delete draft.reading
    delete draft.plain
    if (action === 'merge' && draft.action === 'update') draft.action = 'merge'
    return true
  }

  /** Takes out what is no loss, so that the rest of it is all that there is to lose. */
  cleanse(file: string, text: string, reason: string): boolean {
    const draft = this.#drafts.get(file)
    const parsed = parseEntry(text)
    if (!draft || !this.mayChange(file) || !parsed.ok) return false
    const { name, description, body } = parsed.entry
    draft.memory = { ...draft.memory, text, name, description, body }
    draft.whole = text
    draft.reasons.push(reason)
    delete draft.reading
    delete draft.plain
    return true
  }

  create(memory: DreamMemory, reason: string): void {
    this.#drafts.set(memory.file, {
      memory,
      original: '',
      whole: '',
      isHollow: false,
      action: 'create',
      reasons: [reason],
    })
  }

  remove(file: string, reason: string, wentTo: string): void {
    const draft = this.#drafts.get(file)
    if (!draft || !this.mayRemove(file)) return
    if (!draft.isHollow) this.#removalsLeft -= 1
    draft.removed = { reason, wentTo }
  }

  changes(): ProposedChange[] {
    return [...this.#drafts.values()].flatMap(
      ({ memory, original, action, reasons, removed }): ProposedChange[] => {
        if (removed)
          return original === '' ? [] : [{ file: memory.file, text: null, action: 'remove', ...removed }]
        if (memory.text === original) return []
        return [{ file: memory.file, text: memory.text, action, reason: [...new Set(reasons)].join('; ') }]
      },
    )
  }
}
