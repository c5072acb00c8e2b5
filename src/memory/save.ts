import { ChangedMeanwhile, ReverieError } from '../store/index.ts'
import { stamp } from './age.ts'
import { withAbsoluteDates } from './dates.ts'
import { type Desk, type Settled, settle, shelfOf } from './desk.ts'
import {
  type Entry,
  editEntry,
  isMemoryType,
  MEMORY_TYPES,
  type MemoryType,
  type Origin,
  oneLine,
  parseEntry,
  printEntry,
} from './entry.ts'
import { exclusionOf } from './exclusions.ts'
import { fileNames } from './name.ts'
import { findSecrets, secretMessage } from './secrets.ts'
import type { Scope, Shelf } from './shelf.ts'

/** What is to be remembered. */
export interface MemoryDraft {
  type: MemoryType
  name: string
  description: string
  body: string
  /** `project` unless told. */
  scope?: Scope
  pinned?: boolean
  /** `owner` unless told: a paraphrase keeps the origin of what it paraphrases. */
  origin?: Origin
  /** Ids of the sessions it comes from. */
  sources?: readonly string[]
  supersedes?: readonly string[]
  /** An update may cut a long memory to less than half. */
  mayShrink?: boolean
}

export interface Saved extends Settled {
  file: string
  scope: Scope
  created: boolean
  /** Nothing differed from what was there. */
  unchanged: boolean
  /** Relative dates that were made absolute. */
  dates: Array<{ from: string; to: string }>
}

export class InvalidMemory extends ReverieError {}
export class SecretRefused extends ReverieError {}
export class NotWorthKeeping extends ReverieError {}
/** The memory is pinned, and only its owner changes it. */
export class Pinned extends ReverieError {}
/** The update would have thrown away most of what was there. */
export class ShrinkRefused extends ReverieError {}

const NAME_LIMIT = 200
const DESCRIPTION_LIMIT = 1_000
const BODY_LIMIT_BYTES = 1024 * 1024
/** Bodies shorter than this may be replaced by anything; a longer one keeps at least half (1-product.md). */
const SHRINK_FROM_CHARACTERS = 600
const SHRINK_SHARE = 0.5

/** Keeps a memory: updates the one of the same type and name, or creates one. */
export async function saveMemory(desk: Desk, draft: MemoryDraft): Promise<Saved> {
  const checked = checkFields(draft)
  const { name, dated, description, body, dates } = absolute(checked, desk.now())
  await refuseSecrets([name, description, body])
  const excluded = exclusionOf({ name, description, body }, await desk.instructions())
  if (excluded) throw new NotWorthKeeping(excluded.reason)
  await desk.prepare()
  const shelf = shelfOf(desk, draft.scope ?? 'project')
  return shelf.exclusively(async () => {
    await desk.catalogue.refresh()
    const existing = [name, dated].flatMap(each => desk.catalogue.named(shelf.scope, draft.type, each))[0]
    const ready = { ...draft, name: dated, description, body }
    const done =
      existing === undefined ? await create(desk, shelf, ready) : await update(desk, shelf, existing, ready)
    return { scope: shelf.scope, dates, ...done }
  })
}

type Fields = Pick<MemoryDraft, 'type' | 'name' | 'description' | 'body'>

/** Throws InvalidMemory unless the fields that are given are a memory's; gives them back as they are kept. */
export function checkFields<T extends Partial<Fields>>(fields: T): T {
  const { type, body } = fields
  if (type !== undefined && !isMemoryType(type))
    throw new InvalidMemory(
      `A memory's type is one of ${MEMORY_TYPES.join(', ')}, not ${JSON.stringify(type)}.`,
    )
  const [name, description] = [fields.name, fields.description].map(text => text && oneLine(text))
  if (name === '') throw new InvalidMemory('A memory needs a name.')
  if (description === '')
    throw new InvalidMemory('A memory needs a description: the one line by which it is found.')
  assertLength('A name', name, NAME_LIMIT)
  assertLength('A description', description, DESCRIPTION_LIMIT)
  if (body !== undefined && Buffer.byteLength(body) > BODY_LIMIT_BYTES)
    throw new InvalidMemory(
      `A memory is at most 1 MB; this one is ${Math.ceil(Buffer.byteLength(body) / 2 ** 20)} MB.`,
    )
  for (const text of [name, description, body])
    if (text !== undefined && (!text.isWellFormed() || text.includes('\0')))
      throw new InvalidMemory('A memory is text; this has NUL or broken characters in it.')
  return { ...fields, ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}

function assertLength(what: string, text: string | undefined, limit: number): void {
  if (text === undefined || text.length <= limit) return
  throw new InvalidMemory(
    `${what} is one line of at most ${limit} characters; this has ${text.length}. Detail belongs in the body.`,
  )
}

/** A memory may have got its name before, and is found by it as it was given. */
function absolute({ name, description, body }: Fields, now: Date) {
  const called = withAbsoluteDates(name, now)
  const [said, told] = [withAbsoluteDates(description, now), withAbsoluteDates(body, now)]
  return {
    name,
    dated: called.text,
    description: said.text,
    body: told.text,
    dates: [...called.changed, ...said.changed, ...told.changed],
  }
}

export async function refuseSecrets(texts: readonly string[]): Promise<void> {
  const found = (await Promise.all(texts.map(findSecrets))).flat()
  if (found.length > 0) throw new SecretRefused(secretMessage(found))
}

type Done = Omit<Saved, 'scope' | 'dates'>

async function create(desk: Desk, shelf: Shelf, draft: MemoryDraft): Promise<Done> {
  const now = stamp(desk.now())
  const entry: Entry = {
    name: draft.name,
    description: draft.description,
    type: draft.type,
    pinned: draft.pinned ?? false,
    origin: draft.origin ?? 'owner',
    created: now,
    updated: now,
    sources: (draft.sources ?? []).slice(-REFERENCES_KEPT),
    supersedes: (draft.supersedes ?? []).slice(-REFERENCES_KEPT),
    body: draft.body,
  }
  const text = printEntry(entry)
  const file = await writeNew(desk, shelf, draft, text)
  const settled = await settle(desk, shelf, {
    message: `Remember "${draft.name}"`,
    kind: 'save',
    by: entry.origin === 'owner' ? 'Owner' : 'Reverie',
    changes: [{ file, before: null, after: text }],
  })
  return { file, created: true, unchanged: false, ...settled }
}

/** A name that is taken, also in other letters' case, is passed over. */
async function writeNew(desk: Desk, shelf: Shelf, draft: MemoryDraft, text: string): Promise<string> {
  const taken = new Set([...desk.catalogue.files(shelf.scope)].map(file => file.toLowerCase()))
  for (const file of fileNames(draft.type, draft.name)) {
    if (taken.has(file)) continue
    try {
      await shelf.write(file, text, null)
      return file
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
    }
  }
  throw new Error('unreachable: file names do not end')
}

async function update(desk: Desk, shelf: Shelf, file: string, draft: MemoryDraft): Promise<Done> {
  const stored = await shelf.read(file)
  if (!stored || 'unreadable' in stored)
    throw new ReverieError(`${file} cannot be read; \`reverie memory doctor\` tells more.`)
  const parsed = parseEntry(stored.text)
  if (!parsed.ok) throw new ChangedMeanwhile(`${file} was changed by somebody else in the meantime.`)
  const { entry } = parsed
  const origin = draft.origin ?? 'owner'
  if (origin !== 'owner') refusePinned(file, stored.text)
  refuseShrinking(file, entry.body, draft)
  const edit = {
    ...(entry.description !== draft.description && { description: draft.description }),
    ...(entry.body.trim() !== draft.body.trim() && { body: draft.body }),
    ...(draft.pinned !== undefined && draft.pinned !== entry.pinned && { pinned: draft.pinned }),
    ...(draft.origin !== undefined && entry.origin !== origin && { origin }),
    ...added('sources', entry.sources, draft.sources),
    ...added('supersedes', entry.supersedes, draft.supersedes),
  }
  const unchanged = Object.keys(edit).length === 0
  // Saying the same again confirms it: only its age changes.
  const text = editEntry(stored.text, { ...edit, updated: stamp(desk.now()) })
  await writeOver(shelf, file, text, stored.version)
  const settled = await settle(desk, shelf, {
    message: `${unchanged ? 'Confirm' : 'Update'} "${entry.name}"`,
    kind: 'save',
    by: origin === 'owner' ? 'Owner' : 'Reverie',
    changes: [{ file, before: stored.text, after: text }],
  })
  return { file, created: false, unchanged, ...settled }
}

function added(key: 'sources' | 'supersedes', old: readonly string[], young: readonly string[] = []) {
  const fresh = young.filter(item => !old.includes(item))
  return fresh.length > 0 ? { [key]: [...old, ...fresh].slice(-REFERENCES_KEPT) } : {}
}

function refuseShrinking(file: string, before: string, { body, mayShrink }: MemoryDraft): void {
  if (mayShrink || before.length < SHRINK_FROM_CHARACTERS) return
  if (body.trim().length >= before.trim().length * SHRINK_SHARE) return
  throw new ShrinkRefused(
    `This would cut ${file} from ${before.length} to ${body.length} characters. Nothing was written. ` +
      `If that is meant, say so (--may-shrink), or change it with \`reverie memory edit ${file}\`.`,
  )
}

/** Throws if a text is a pinned memory's. */
export function refusePinned(file: string, text: string): void {
  const parsed = parseEntry(text)
  if (parsed.ok && parsed.entry.pinned) throw new Pinned(`${file} is pinned: only you change or forget it.`)
}

/** The most session ids and replaced memories that a memory names, the newest of each: frontmatter has 4 KB. */
const REFERENCES_KEPT = 20

/** An editor that got in between wins; what we wanted to write is kept in the trash, and said. */
export async function writeOver(
  shelf: Shelf,
  file: string,
  text: string,
  expected: string,
  mtimeMs?: number,
): Promise<void> {
  const parsed = parseEntry(text)
  if (!parsed.ok)
    throw new InvalidMemory(
      `This would make ${file} unreadable: ${parsed.problem.detail}. Nothing was written.`,
    )
  try {
    await shelf.write(file, text, expected, mtimeMs)
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    const aside = await shelf.setAside(file, text)
    throw new ChangedMeanwhile(
      `${file} was changed by somebody else in the meantime and stays as it is. What was to be written is in ${aside}.`,
    )
  }
}
