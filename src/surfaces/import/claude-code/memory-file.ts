import { parseDocument } from 'yaml'
import { isMemoryType, MEMORY_TYPES } from '../../../memory/index.ts'
import { type Fields, fieldsIn, isFields, textIn, timeOf } from '../json.ts'
import type { SourceMemory } from '../source.ts'

export type ReadMemory = { draft: SourceMemory['draft']; at: Date | undefined } | { problem: string }

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m
/** Frontmatter has its end within this, in characters; what is longer was not meant to be one. */
const FRONTMATTER_LIMIT = 16 * 1024

/**
 * A memory as Claude Code writes it. Earlier versions have `type` among the fields, as we do; later ones have it
 * below `metadata`, with the time of the last change.
 */
export function readMemoryFile(file: string, text: string): ReadMemory {
  const head = text.slice(0, FRONTMATTER_LIMIT)
  const match = FRONTMATTER.exec(head)
  if (match?.index !== 0) return { problem: 'it does not begin with frontmatter (---)' }
  const [whole, block = ''] = match
  const fields = readFields(block)
  if ('problem' in fields) return fields
  const places = [fields.fields, fieldsIn(fields.fields, 'metadata')]
  const type = oneOf(places, 'type')
  if (!isMemoryType(type)) {
    const said = type === undefined ? 'it has no type' : `its type is ${JSON.stringify(type)}`
    return { problem: `${said}; a memory's is one of ${MEMORY_TYPES.join(', ')}` }
  }
  const name = textIn(fields.fields, 'name')?.trim() || file.replace(/\.md$/i, '')
  const changed = timeOf(oneOf(places, 'updated') ?? oneOf(places, 'modified'))
  return {
    draft: {
      type,
      name,
      description: textIn(fields.fields, 'description')?.trim() || name,
      body: text.slice(whole.length).trim(),
      scope: 'project',
      ...(textIn(fields.fields, 'pinned') === 'true' && { pinned: true }),
    },
    at: changed === undefined ? undefined : new Date(changed),
  }
}

function oneOf(places: readonly Fields[], key: string): string | undefined {
  return places.map(place => textIn(place, key)?.trim()).find(text => text !== undefined && text !== '')
}

function readFields(block: string): { fields: Fields } | { problem: string } {
  try {
    const document = parseDocument(block, {
      schema: 'failsafe',
      prettyErrors: false,
      logLevel: 'silent',
    })
    const [error] = document.errors
    if (error) return looseFields(block) ?? { problem: `its frontmatter cannot be read: ${error.message}` }
    const fields: unknown = document.toJS({ maxAliasCount: 0 })
    return isFields(fields) ? { fields } : { problem: 'its frontmatter is not a list of fields' }
  } catch {
    return { problem: 'its frontmatter cannot be read' } // nested more deeply than the parser goes, or aliases
  }
}

const LINE = /^\s*([A-Za-z_][\w-]*):(.*)$/

/** Lines that are no YAML but still look like `key: value` are taken at their word: descriptions have colons. */
function looseFields(block: string): { fields: Fields } | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, key, value = ''] = LINE.exec(line) ?? []
    if (key === undefined) return undefined
    if (value.trim() !== '' && !fields.has(key)) fields.set(key, unquoted(value.trim()))
  }
  return { fields: Object.fromEntries(fields) }
}

function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value) ?? []
  return inner ?? value
}
