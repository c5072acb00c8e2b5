import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

/** Only this much of a file is looked at for frontmatter, in characters (2-memory.md: the first 4 KB). */
const FRONTMATTER_LIMIT = 4096

/** A file in its parts. Joined again, they are the file byte for byte. */
export interface SplitFile {
  /** A byte order mark, if any, and the opening line. */
  opening: string
  block: string
  /** The closing line. */
  closing: string
  rest: string
}

export type FieldValue = string | string[]

/**
 * The fields that could be read, those further in as `outer.inner`; what is deeper still is in the block and survives
 * there.
 */
export type Fields = Map<string, FieldValue>

export type ParsedBlock = { ok: true; fields: Fields } | { ok: false; problem: string }

const OPENING = /^\uFEFF?---[ \t]*\r?\n/
const CLOSING = /^---[ \t]*(?:\r?\n|$)/m

/** Undefined when the text does not begin with frontmatter, or it does not end within the limit. */
export function splitFile(text: string): SplitFile | undefined {
  const [opening] = OPENING.exec(text) ?? []
  if (opening === undefined) return undefined
  const inner = text.slice(opening.length)
  const match = CLOSING.exec(inner.slice(0, FRONTMATTER_LIMIT))
  if (!match) return undefined
  const [closing] = match
  return {
    opening,
    block: inner.slice(0, match.index),
    closing,
    rest: inner.slice(match.index + closing.length),
  }
}

export function joinFile({ opening, block, closing, rest }: SplitFile): string {
  return opening + block + closing + rest
}

/** Fields and body of a Markdown file that is not a memory: an agent, a skill. */
export function readFrontmatter(text: string): { fields: Fields; body: string } | { problem: string } {
  const split = splitFile(text)
  if (!split)
    return {
      problem: OPENING.test(text)
        ? `its frontmatter does not end (---) within ${FRONTMATTER_LIMIT} characters`
        : 'it does not begin with frontmatter (---)',
    }
  const parsed = parseBlock(split.block)
  if (!parsed.ok) return { problem: `its frontmatter cannot be read: ${parsed.problem}` }
  return { fields: parsed.fields, body: split.rest.trim() }
}

const KEY = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/
/** What a plain value must not begin with, or contain, to mean in YAML just what it says. */
const SPECIAL = /^[\s'"[\]{}&*!|>%@`#,?-]|: | #|:$|^$/

/**
 * Reads the block. Plain `key: value` lines need no YAML parser; anything else gets one, with every scalar
 * read as text. Lines that are no YAML but still look like `key: value` (a colon in a description is the
 * usual case) are taken at their word, as other programs do.
 */
export function parseBlock(block: string): ParsedBlock {
  return (
    parsePlainLines(block) ??
    parseYaml(block) ??
    parseLoosely(block) ?? { ok: false, problem: yamlProblem(block) }
  )
}

function parsePlainLines(block: string): ParsedBlock | undefined {
  const fields: Fields = new Map()
  for (const line of linesOf(block)) {
    const [, key, value] = KEY.exec(line) ?? []
    if (key === undefined || value === undefined || SPECIAL.test(value) || fields.has(key)) return undefined
    fields.set(key, value.trimEnd())
  }
  return { ok: true, fields }
}

function parseYaml(block: string): ParsedBlock | undefined {
  const document = readYaml(block)
  if (!document || document.errors.length > 0) return undefined
  if (document.contents === null) return { ok: true, fields: new Map() }
  if (!yaml().isMap(document.contents)) return undefined
  return { ok: true, fields: new Map(fieldsOf(document.contents, '', DEEPEST)) }
}

/** How far in a field may stand. */
const DEEPEST = 4

function* fieldsOf(map: Yaml.YAMLMap, before: string, depth: number): Generator<[string, FieldValue]> {
  const { isMap, isScalar, isSeq } = yaml()
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue
    const name = `${before}${key.value}`
    if (value === null) yield [name, '']
    else if (isScalar(value)) yield [name, String(value.value ?? '')]
    else if (isSeq(value))
      yield [name, value.items.flatMap(item => (isScalar(item) ? [String(item.value)] : []))]
    else if (isMap(value) && depth > 1) yield* fieldsOf(value, `${name}.`, depth - 1)
  }
}

function parseLoosely(block: string): ParsedBlock | undefined {
  const fields: Fields = new Map()
  for (const line of linesOf(block)) {
    const continues = /^[ \t]|^- /.test(line) && fields.size > 0
    if (line.trim() === '' || line.startsWith('#') || continues) continue
    const [, key, value = ''] = KEY.exec(line) ?? []
    if (key === undefined || fields.has(key) || /^(?:[{&*!|>]|\[[^\]]*$)/.test(value)) return undefined
    fields.set(key, unquote(value.trim()))
  }
  return { ok: true, fields }
}

function unquote(value: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(value) ?? []
  return quote === undefined ? value : (inner ?? '')
}

function linesOf(block: string): string[] {
  const lines = block.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Undefined when the parser itself gave up, as on nesting that is deeper than its stack. */
function readYaml(block: string): Yaml.Document.Parsed | undefined {
  try {
    return yaml().parseDocument(block, {
      schema: 'failsafe',
      uniqueKeys: true,
      prettyErrors: false,
      logLevel: 'silent',
    })
  } catch {
    return undefined
  }
}

function yamlProblem(block: string): string {
  const document = readYaml(block)
  if (!document) return 'it cannot be parsed'
  const [error] = document.errors
  return error ? error.message : 'it is not a list of fields'
}

let loaded: typeof Yaml | undefined

/** Loaded only for blocks that need it: importing it costs as much as starting Node. */
function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml
  return loaded
}

/** What to set a field to; undefined removes it. */
export type NewValue = FieldValue | true | undefined

type Changes = ReadonlyMap<string, NewValue>

/** Sets or removes fields (undefined removes), leaving every other byte of the block as it is. */
export function editBlock(block: string, changes: Changes): string {
  const edited = editLines(block, changes)
  // Unusual YAML (all on one line, blank lines inside a value) cannot be edited by lines.
  return says(edited, block, changes) ? edited : editYaml(block, changes)
}

function editLines(block: string, changes: Changes): string {
  const newline = block.includes('\r\n') ? '\r\n' : '\n'
  let edited = block
  for (const [key, value] of changes) {
    const place = placeOf(edited, key)
    const line = value === undefined ? '' : `${key}: ${printValue(value)}${newline}`
    if (place) edited = edited.slice(0, place.start) + line + edited.slice(place.end)
    else edited = withFinalNewline(edited, newline) + line
  }
  return edited
}

/** Whether the edited block has the changed fields as they should be, and all others as they were. */
function says(edited: string, original: string, changes: Changes): boolean {
  const [before, after] = [parseBlock(original), parseBlock(edited)]
  if (!before.ok || !after.ok) return false
  const wanted = new Map<string, NewValue>([...before.fields, ...changes])
  return [...wanted].every(([key, value]) => String(after.fields.get(key)) === String(value))
}

function editYaml(block: string, changes: Changes): string {
  const document = readYaml(block)
  if (!document || document.errors.length > 0) return editLines(block, changes)
  for (const [key, value] of changes) {
    if (value === undefined) document.delete(key)
    else document.set(key, value)
  }
  return document.toString({ lineWidth: 0 })
}

/** Where a field's lines stand: from its key to the next line that begins another field, a comment or nothing. */
function placeOf(block: string, key: string): { start: number; end: number } | undefined {
  let start: number | undefined
  let offset = 0
  for (const line of block.split(/(?<=\n)/)) {
    const [, found] = /^(["']?[A-Za-z_][\w-]*["']?)\s*:/.exec(line) ?? []
    const continues = /^(?:[ \t]|-(?:[ \t]|\r?\n|$))/.test(line)
    if (start !== undefined && !continues) return { start, end: offset }
    if (start === undefined && found?.replaceAll(/["']/g, '') === key) start = offset
    offset += line.length
  }
  return start === undefined ? undefined : { start, end: offset }
}

function withFinalNewline(block: string, newline: string): string {
  return block === '' || block.endsWith('\n') ? block : block + newline
}

function printValue(value: FieldValue | true): string {
  if (value === true) return 'true'
  return typeof value === 'string'
    ? printScalar(value)
    : `[${value.map(item => printScalar(item, true)).join(', ')}]`
}

/** Words and numbers that other programs' YAML would not read as text. */
const NOT_TEXT = /^(?:true|false|yes|no|on|off|null|~|[-+.]?\d[\d_.eE+-]*|0x[\da-f]+|\.inf|\.nan)$/i

function printScalar(value: string, inList = false): string {
  const quoted =
    SPECIAL.test(value) ||
    NOT_TEXT.test(value) ||
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(value) ||
    value !== value.trim() ||
    (inList && /[,[\]{}]/.test(value))
  return quoted ? JSON.stringify(value) : value
}
