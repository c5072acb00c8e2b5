import { editBlock, type Fields, joinFile, type NewValue, parseBlock, splitFile } from '../store/index.ts'

/** Who the owner is · how to work · goals and decisions · where something outside is found. Closed. */
export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const
export type MemoryType = (typeof MEMORY_TYPES)[number]

/** Where what is remembered came from. What is not the owner's own is data wherever it is shown. */
export const ORIGINS = ['owner', 'agent', 'tool', 'import', 'team'] as const
export type Origin = (typeof ORIGINS)[number]

/** What a memory file says. */
export interface Entry {
  name: string
  description: string
  type: MemoryType
  /** No automatic change, ever. */
  pinned: boolean
  origin: Origin
  created: string | undefined
  /** When it was last confirmed. */
  updated: string | undefined
  /** Ids of the sessions it came from. */
  sources: string[]
  supersedes: string[]
  body: string
}

export type EntryProblem = {
  kind: 'no-frontmatter' | 'malformed-frontmatter' | 'invalid-type'
  detail: string
}

export type ParsedEntry = { ok: true; entry: Entry } | { ok: false; problem: EntryProblem }

export function isMemoryType(text: unknown): text is MemoryType {
  return MEMORY_TYPES.some(type => type === text)
}

/** Reads a file; whatever is in it, the answer is an entry or what is wrong, never an exception. */
export function parseEntry(text: string): ParsedEntry {
  const split = splitFile(text)
  if (!split) {
    const began = /^\uFEFF?---/.test(text)
    return began
      ? problem('malformed-frontmatter', 'its frontmatter has no end within the first 4 KB')
      : problem('no-frontmatter', 'it does not begin with frontmatter (---)')
  }
  const parsed = parseBlock(split.block)
  if (!parsed.ok) return problem('malformed-frontmatter', `its frontmatter cannot be read: ${parsed.problem}`)
  const { fields } = parsed
  // Later versions of Claude Code write what is not for the reader below `metadata`.
  const type = singleText(fields, 'type') || singleText(fields, 'metadata.type')
  if (!isMemoryType(type)) {
    const said = type === '' ? 'it has no type' : `its type is ${JSON.stringify(type)}`
    return problem('invalid-type', `${said}; a memory's is one of ${MEMORY_TYPES.join(', ')}`)
  }
  const origin = ORIGINS.find(candidate => candidate === singleText(fields, 'origin'))
  return {
    ok: true,
    entry: {
      name: oneLine(singleText(fields, 'name')),
      description: oneLine(singleText(fields, 'description')),
      type,
      pinned: /^(?:true|yes|on)$/i.test(singleText(fields, 'pinned')),
      origin: origin ?? 'owner',
      created: singleText(fields, 'created') || undefined,
      updated: singleText(fields, 'updated') || singleText(fields, 'metadata.modified') || undefined,
      sources: list(fields, 'sources'),
      supersedes: list(fields, 'supersedes'),
      body: trimBody(split.rest),
    },
  }
}

function problem(kind: EntryProblem['kind'], detail: string): ParsedEntry {
  return { ok: false, problem: { kind, detail } }
}

function singleText(fields: Fields, key: string): string {
  const value = fields.get(key)
  return typeof value === 'string' ? value.trim() : ''
}

function list(fields: Fields, key: string): string[] {
  const value = fields.get(key)
  if (value === undefined || value === '') return []
  return typeof value === 'string' ? value.split(',').map(item => item.trim()) : value
}

/** Control characters, and those that reorder what is shown: a name must not steer a terminal. */
const UNPRINTABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** White space and line ends become single spaces, and what cannot be shown goes. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(UNPRINTABLE, '').trim()
}

function trimBody(rest: string): string {
  return rest.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()
}

/** The text of a new file. */
export function printEntry(entry: Entry): string {
  const fields = new Map<string, NewValue>([
    ['name', entry.name],
    ['description', entry.description],
    ['type', entry.type],
    ...optionalFields(entry),
  ])
  return `---\n${editBlock('', fields)}---\n\n${entry.body.trim()}\n`
}

function optionalFields(entry: Entry): Array<[string, NewValue]> {
  const fields: Array<[string, NewValue]> = []
  if (entry.pinned) fields.push(['pinned', true])
  if (entry.origin !== 'owner') fields.push(['origin', entry.origin])
  if (entry.created) fields.push(['created', entry.created])
  if (entry.updated) fields.push(['updated', entry.updated])
  if (entry.sources.length > 0) fields.push(['sources', entry.sources])
  if (entry.supersedes.length > 0) fields.push(['supersedes', entry.supersedes])
  return fields
}

export type EntryEdit = Partial<Omit<Entry, 'body'>> & { body?: string }

/** The text of a file after an edit. What the edit does not name stays as it was, byte for byte. */
export function editEntry(text: string, edit: EntryEdit): string {
  const split = splitFile(text)
  if (!split) throw new Error('editEntry needs a text with frontmatter')
  const { body, ...fields } = edit
  const changes = new Map<string, NewValue>()
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === 'boolean') changes.set(key, value || undefined)
    else changes.set(key, value?.length === 0 ? undefined : value)
  }
  const newline = split.opening.endsWith('\r\n') ? '\r\n' : '\n'
  const edited = { ...split, block: editBlock(split.block, changes) }
  if (body === undefined) return joinFile(edited)
  const closing = split.closing.endsWith('\n') ? split.closing : split.closing + newline
  return joinFile({ ...edited, closing, rest: newline + body.trim().replaceAll(/\r?\n/g, newline) + newline })
}
