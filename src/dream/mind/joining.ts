/** Two memories that say the same become one; of two that cannot both hold the one confirmed last stays. */
import { type EntryEdit, type Origin, parseEntry, stamp } from '../../memory/index.ts'
import type { DreamMemory } from '../dreamer.ts'
import type { Board } from './board.ts'
import { compare } from './compare.ts'
import { contradiction, isCovered, type Reading, type Said, withoutSentence } from './reading.ts'
import { type Untold, untold, untoldBeside } from './untold.ts'

/** What very many memories speak of tells nothing about which of them belong together. */
const COMMON_FROM = 150
/** The most session ids and replaced memories that a memory names: frontmatter has 4 KB. */
const REFERENCES_KEPT = 20

/** Pairs of memories that share a word that not all have, the first of each confirmed later. */
function* pairs(board: Board): Generator<[young: string, old: string]> {
  const memories = board.memories().sort(byConfirmation)
  const rank = new Map(memories.map(({ file }, at) => [file, at]))
  const postings = new Map<string, string[]>()
  for (const { file } of memories)
    for (const key of board.reading(file)?.probes ?? [])
      postings.set(key, [...(postings.get(key) ?? []), file])
  for (const { file } of memories) {
    const near = new Set<string>()
    for (const key of board.reading(file)?.probes ?? []) {
      const files = postings.get(key) ?? []
      if (files.length <= COMMON_FROM || key.startsWith('text:')) for (const each of files) near.add(each)
    }
    for (const other of near) if ((rank.get(other) ?? 0) > (rank.get(file) ?? 0)) yield [file, other]
  }
}

/** The last confirmed first; the file's name decides where that says nothing, so that a dream dreamt again is the same. */
function byConfirmation(a: DreamMemory, b: DreamMemory): number {
  return b.confirmed.getTime() - a.confirmed.getTime() || (a.file < b.file ? -1 : 1)
}

/** What is certain comes first: no more than so many files may go in one dream. */
export function joinDuplicates(board: Board): void {
  const near = [...pairs(board)]
  joinAmong(board, near, true)
  joinAmong(board, near, false)
}

function joinAmong(board: Board, near: ReadonlyArray<[young: string, old: string]>, exact: boolean): void {
  for (const [young, old] of near) {
    const [a, b] = [board.reading(young), board.reading(old)]
    const [plainA, plainB] = [board.plainReading(young), board.plainReading(old)]
    if (!a || !b || !plainA || !plainB || !mayJoin(a.memory, b.memory)) continue
    const isExact = plainA.exact === plainB.exact
    if (exact && !isExact) continue
    const [oldInYoung, youngInOld] = [isCovered(plainB, plainA), isCovered(plainA, plainB)]
    if (!oldInYoung && !youngInOld) continue
    const joint = choose(board, a, b, oldInYoung, youngInOld)
    if (joint) join(board, joint, isExact)
  }
}

/** Facts about the owner and rules of theirs are told apart by nobody; all else stays with its kind. */
function mayJoin(a: DreamMemory, b: DreamMemory): boolean {
  const own = (type: string): boolean => type === 'user' || type === 'feedback'
  return a.type === b.type || (own(a.type) && own(b.type))
}

/** Two memories that become one. */
interface Joint {
  kept: Reading
  gone: Reading
  /** What only the one that goes tells. */
  more: Untold
}

/** Which of the two stays: never one that says less, nor data in the place of the owner's words. */
function choose(
  board: Board,
  young: Reading,
  old: Reading,
  oldInYoung: boolean,
  youngInOld: boolean,
): Joint | undefined {
  const ways: Array<[Reading, Reading, boolean]> = [
    [young, old, oldInYoung],
    [old, young, youngInOld],
  ]
  const possible = ways
    .filter(
      ([kept, gone, covers]) =>
        covers && board.mayRemove(gone.memory.file) && !isLess(kept.memory.origin, gone.memory.origin),
    )
    .map(([kept, gone]): Joint => ({ kept, gone, more: notTold(board, gone, kept) }))
    .filter(({ kept, more }) => !kept.memory.pinned || more.asides.length + more.sentences.length === 0)
  // A pinned memory stays; else the one to which least has to be added, or that says more, else the younger.
  const [best] = possible.toSorted(
    (a, b) =>
      Number(b.kept.memory.pinned) - Number(a.kept.memory.pinned) ||
      a.more.sentences.length - b.more.sentences.length ||
      b.kept.said.length - a.kept.said.length ||
      wordsIn(b.kept) - wordsIn(a.kept),
  )
  return best
}

/** What was taken up of its line in the index goes along in one piece. */
function notTold(board: Board, gone: Reading, kept: Reading): Untold {
  const { asides, sentences } = untold(board.plainReading(gone.memory.file) ?? gone, kept)
  const takenUp = board.takenUp(gone.memory.file)
  const isTold = takenUp === undefined || kept.memory.body.includes(takenUp)
  return { asides: isTold ? asides : [...asides, takenUp], sentences }
}

function wordsIn({ said }: Reading): number {
  return said.reduce((sum, { claim }) => sum + claim.terms.size, 0)
}

function isLess(origin: Origin, than: Origin): boolean {
  return than === 'owner' && origin !== 'owner'
}

function join(board: Board, { kept: { memory: kept }, gone: { memory: gone }, more }: Joint, exact: boolean) {
  const reason = `${exact ? 'says the same as' : 'says in other words what stands in'} ${kept.file}`
  if (board.mayChange(kept.file)) {
    const missing = [...more.sentences, ...more.asides]
    const confirmed = new Date(Math.max(kept.confirmed.getTime(), gone.confirmed.getTime()))
    board.edit(
      kept.file,
      {
        ...(missing.length > 0 && { body: [kept.body, ...missing].join('\n\n').trim() }),
        updated: stamp(confirmed),
        ...references(kept, gone),
      },
      `joined with ${gone.file}, which says the same`,
      'merge',
    )
  }
  board.remove(gone.file, reason, kept.file)
  board.findings.push({ kind: 'duplicate', files: [kept.file, gone.file], detail: `${gone.file} ${reason}` })
  board.letGo.push(`“${gone.name}” was said twice; it stays as “${kept.name}”.`)
}

function references(kept: DreamMemory, gone: DreamMemory): EntryEdit {
  const [ours, theirs] = [parseEntry(kept.text), parseEntry(gone.text)]
  if (!ours.ok || !theirs.ok) return {}
  const both = (a: readonly string[], b: readonly string[]): string[] =>
    [...new Set([...a, ...b])].slice(-REFERENCES_KEPT)
  const sources = both(theirs.entry.sources, ours.entry.sources)
  const created = [ours.entry.created, theirs.entry.created].filter(date => date !== undefined).sort()[0]
  return {
    ...(sources.length > ours.entry.sources.length && { sources }),
    ...(created !== undefined && created !== ours.entry.created && { created }),
    supersedes: both(ours.entry.supersedes, [...theirs.entry.supersedes, gone.file]),
  }
}

export function resolveContradictions(board: Board): void {
  for (const [newer, older] of pairs(board)) {
    const [young, old] = [board.reading(newer), board.reading(older)]
    if (!young || !old || !mayJoin(young.memory, old.memory)) continue
    const found = contradiction(old, young)
    if (!found) continue
    const detail = `“${found.old?.claim.text ?? old.memory.description}” (${old.memory.file}) and “${found.by.text}” (${young.memory.file})`
    const beside = isOnlyOne(old, found.old) ? besideIt(board, old, young) : []
    const open = unresolvable(board, young.memory, old.memory, beside)
    board.findings.push({
      kind: 'contradiction',
      files: [newer, older],
      detail: open ? `${detail}: ${open}` : detail,
      ...(open !== undefined && { isOpen: true }),
    })
    if (!open) giveWay(board, old, young, found.old, beside)
  }
}

/** Why a contradiction waits for the owner. */
function unresolvable(
  board: Board,
  young: DreamMemory,
  old: DreamMemory,
  beside: readonly string[],
): string | undefined {
  if (isLess(young.origin, old.origin)) return `only the older one is the owner's word`
  if (young.confirmed.getTime() === old.confirmed.getTime()) return 'neither is newer'
  if (!board.mayChange(old.file)) return `${old.file} is not to be changed`
  if (beside.length > 0 && !board.mayChange(young.file))
    return `${young.file} is not to be changed, and ${old.file} tells more`
  return undefined
}

/** Whether a memory goes as a whole where this of it no longer holds. */
function isOnlyOne({ said }: Reading, outdated: Said | undefined): boolean {
  return said.length <= 1 || outdated === undefined
}

function besideIt(board: Board, old: Reading, young: Reading): string[] {
  const takenUp = board.takenUp(old.memory.file)
  return [...untoldBeside(old, young), ...(takenUp === undefined ? [] : [takenUp])]
}

/** Above what a memory that gave way told besides; a heading, so that it is taken for no statement of what is. */
const BEFORE = '## Before this changed'

/** The older one goes, or the sentence of it that no longer holds. */
function giveWay(
  board: Board,
  old: Reading,
  young: Reading,
  said: Said | undefined,
  beside: readonly string[],
): void {
  const { memory } = old
  const reason = `no longer holds: ${young.memory.file}, confirmed ${stamp(young.memory.confirmed).slice(0, 10)}, says otherwise`
  if (said && !isOnlyOne(old, said)) {
    const body = withoutSentence(memory.body, said)
    const rest = old.said.find(each => each !== said)
    const outdated = compare(old.description, young.said[0]?.claim ?? young.description) === 'contradicts'
    board.edit(
      memory.file,
      { body, ...(outdated && rest && { description: rest.claim.text }) },
      `“${said.claim.text}” ${reason}`,
    )
    board.letGo.push(`“${said.claim.text}” no longer holds.`)
    return
  }
  if (!board.mayRemove(memory.file)) return
  board.remove(memory.file, reason, young.memory.file)
  const { body, description } = young.memory
  const told = [body === '' ? description : body, ...(body.includes(BEFORE) ? [] : [BEFORE]), ...beside]
    .join('\n\n')
    .trim()
  if (board.mayChange(young.memory.file))
    board.edit(
      young.memory.file,
      { ...references(young.memory, memory), ...(beside.length > 0 && { body: told }) },
      `takes the place of ${memory.file}`,
    )
  board.letGo.push(`“${memory.name}” no longer holds: “${young.memory.name}” is newer.`)
}
