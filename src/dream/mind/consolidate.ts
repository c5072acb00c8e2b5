/** The dream of the embedded mind: the four phases as code, without a model. */
import {
  editEntry,
  findSecrets,
  INDEX_FILE,
  type Origin,
  withAbsoluteDates,
  withoutSecrets,
} from '../../memory/index.ts'
import type { Dreamed, DreamMaterial, DreamMemory, ProposedChange } from '../dreamer.ts'
import { Board } from './board.ts'
import { takeUpDetail, tendIndex } from './index-lines.ts'
import { looksInjected } from './injection.ts'
import { joinDuplicates, resolveContradictions } from './joining.ts'
import { learn } from './learning.ts'
import { stalenessOf } from './staleness.ts'

/** Each time round at least one more file is left alone; what the owner undid is never so much. */
const MOST_ATTEMPTS = 20

/**
 * What a dream makes of its material. Nothing is read or written: the same material gives the same dream. Files of
 * which the owner has undone this change before are left as they are, with all that would have come of it.
 */
export function consolidate(material: DreamMaterial): Promise<Dreamed> {
  return untilNothingIsRefused(material, attemptDream)
}

/** The last phase alone, whoever has seen to the others: what lines of the index tell goes to the files, they are mended, and no key stays. */
export function prune(material: DreamMaterial): Promise<Dreamed> {
  return untilNothingIsRefused(material, attemptPrune)
}

type Attempt = (material: DreamMaterial, frozen: ReadonlySet<string>) => Promise<Dreamed>

async function untilNothingIsRefused(material: DreamMaterial, attempt: Attempt): Promise<Dreamed> {
  const frozen = new Set<string>()
  for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
    const dreamed = await attempt(material, frozen)
    const refused = dreamed.changes.filter(change => material.isRefused(change))
    const files = refused.map(({ file }) => file).filter(file => file !== INDEX_FILE)
    if (files.length === 0)
      return refused.length > 0 && dreamed.changes.length === 1 ? { ...dreamed, changes: [] } : dreamed
    for (const file of files) frozen.add(file)
  }
  return { changes: [], findings: [], learnt: [], letGo: [] }
}

async function attemptPrune(material: DreamMaterial, frozen: ReadonlySet<string>): Promise<Dreamed> {
  const board = new Board(material, frozen)
  takeUpDetail(material.index, board)
  await dropSecrets(board)
  return dreamedOn(board, material)
}

async function attemptDream(material: DreamMaterial, frozen: ReadonlySet<string>): Promise<Dreamed> {
  const board = new Board(material, frozen)
  takeUpDetail(material.index, board)
  await dropSecrets(board)
  dropInjected(board)
  await learn(material, board)
  const dated = makeDatesAbsolute(board)
  joinDuplicates(board)
  resolveContradictions(board)
  dropStale(board, material.now, dated)
  followRemovals(board, material.memories)
  return dreamedOn(board, material)
}

async function dreamedOn(board: Board, material: DreamMaterial): Promise<Dreamed> {
  const { mended, change } = await tendIndex(material, board)
  const changes = [...board.changes(), ...(change ? [change] : [])]
  const { findings, learnt, letGo } = board
  return { changes, findings, learnt, letGo, ...(mended !== material.index && { mendedIndex: mended }) }
}

async function dropSecrets(board: Board): Promise<void> {
  for (const memory of board.all()) {
    const { file, text } = memory
    const found = await findSecrets(text)
    if (found.length === 0) continue
    const kinds = [...new Set(found.map(({ kind }) => kind))].join(', ')
    const isGone = board.cleanse(file, await cleanOf(memory), `held ${kinds}, which is not kept`)
    const detail = `${file} ${isGone ? 'held' : 'is not to be changed, and holds'} ${kinds}`
    board.findings.push({ kind: 'secret', files: [file], detail, ...(!isGone && { isOpen: true }) })
    // What still holds one would let the whole dream fail.
    if (!isGone) board.leave(file)
  }
}

/** Field by field, so that it parses; what stands in a field that is none of ours goes from the text as it is. */
async function cleanOf({ name, description, body, text }: DreamMemory): Promise<string> {
  const [cleanName = name, cleanDescription = description, cleanBody = body] = await Promise.all(
    [name, description, body].map(withoutSecrets),
  )
  const edited = editEntry(text, {
    ...(cleanName !== name && { name: cleanName }),
    ...(cleanDescription !== description && { description: cleanDescription }),
    ...(cleanBody !== body && { body: cleanBody }),
  })
  return withoutSecrets(edited)
}

/** Not of the owner's own mind, and yet not theirs only because another program has brought it. */
const BROUGHT: readonly Origin[] = ['import', 'team']

/** What speaks of the owner and wants to steer whoever reads it goes; elsewhere one word alone is for the owner to judge. */
function dropInjected(board: Board): void {
  for (const { file, name, description, body, origin, type } of board.memories()) {
    const text = `${name}\n${description}\n${body}`
    if (!looksInjected(text, origin)) continue
    const isSure =
      looksInjected(text, 'owner') || ((type === 'user' || type === 'feedback') && !BROUGHT.includes(origin))
    const isOpen = !isSure || !board.mayRemove(file)
    board.findings.push({
      kind: 'injection',
      files: [file],
      detail: `${file} ${isSure ? 'gives' : 'may give'} instructions that are not the owner's`,
      ...(isOpen && { isOpen }),
    })
    if (isOpen) continue
    board.remove(file, "gives the agent instructions that are not the owner's", 'nowhere: it is no memory')
    board.letGo.push(`“${name}” was somebody else's instruction.`)
  }
}

/** A date is meant from the day on which its memory was last confirmed, not from the day of the dream. */
function makeDatesAbsolute(board: Board): ReadonlySet<string> {
  const dated = new Set<string>()
  for (const { file, description, body, confirmed } of board.memories()) {
    const [told, said] = [withAbsoluteDates(description, confirmed), withAbsoluteDates(body, confirmed)]
    const changed = [...told.changed, ...said.changed]
    if (changed.length === 0 || !board.mayChange(file)) continue
    board.findings.push({
      kind: 'relative-date',
      files: [file],
      detail: changed.map(({ from, to }) => `${from} is ${to}`).join(', '),
    })
    board.edit(
      file,
      {
        ...(told.changed.length > 0 && { description: told.text }),
        ...(said.changed.length > 0 && { body: said.text }),
      },
      'made its dates absolute',
    )
    dated.add(file)
  }
  return dated
}

/** A day that was only just worked out is for the owner to see before anything goes by it. */
function dropStale(board: Board, now: Date, dated: ReadonlySet<string>): void {
  for (const memory of board.memories()) {
    const stale = stalenessOf(memory, now)
    if (!stale) continue
    const { reason, isOver } = stale
    const isOpen = !isOver || dated.has(memory.file) || !board.mayRemove(memory.file)
    const detail = `“${memory.name}” (${memory.file}): ${reason}`
    board.findings.push({ kind: 'stale', files: [memory.file], detail, ...(isOpen && { isOpen }) })
    if (isOpen) continue
    board.remove(memory.file, reason, 'nowhere: it has had its time')
    board.letGo.push(`“${memory.name}” has had its time.`)
  }
}

/** Links to what was joined lead to where it went, by file and by name. */
function followRemovals(board: Board, memories: readonly DreamMemory[]): void {
  const names = new Map(memories.map(({ file, name }) => [file, name]))
  const moved = board
    .changes()
    .filter(
      (change): change is ProposedChange & { wentTo: string } =>
        change.action === 'remove' && board.get(change.wentTo ?? '') !== undefined,
    )
  for (const { file, wentTo } of moved) {
    const [from, to] = [names.get(file) ?? '', names.get(wentTo) ?? '']
    // Two of one name are told apart by their files alone.
    const isItsOwn = from !== '' && to !== '' && memories.filter(({ name }) => name === from).length === 1
    for (const memory of board.memories()) {
      const body = memory.body
        .replaceAll(`](${file})`, `](${wentTo})`)
        .replaceAll(`[[${stemOf(file)}]]`, `[[${stemOf(wentTo)}]]`)
      const linked = isItsOwn ? body.replaceAll(`[[${from}]]`, () => `[[${to}]]`) : body
      if (linked !== memory.body) board.edit(memory.file, { body: linked }, `${file} is now ${wentTo}`)
    }
  }
}

function stemOf(file: string): string {
  return file.replace(/\.md$/, '')
}
