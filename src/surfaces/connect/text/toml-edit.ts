/** A marked block at the end of a TOML file; the rest is never printed anew. From text to text. */
import { parse, stringify } from 'smol-toml'
import { because } from '../../../store/index.ts'
import { CannotEdit } from '../cannot-edit.ts'
import { isHookOfOurs } from '../command-line.ts'

/** TOML has larger ones than a number holds. */
const WHOLE_NUMBERS = { integersAsBigInt: 'asNeeded' } as const
const BOM = '\ufeff'
const BEGIN = '# >>> reverie: '
const END = '# <<< reverie'
const LEFT_OVER = /^# <<< reverie\r?(?:\n|$)/gm
const MARKED = `${BEGIN}written by "reverie connect", taken out by "reverie disconnect"`

export function tomlValue(whole: string): Record<string, unknown> {
  try {
    // Its objects have no prototype, and are then never the same as others.
    return structuredClone(parse(whole.startsWith(BOM) ? whole.slice(BOM.length) : whole, WHOLE_NUMBERS))
  } catch (error) {
    const [reason = ''] = because(error).split('\n')
    throw new CannotEdit(`it is not valid TOML (${reason})`)
  }
}

/** What stands in the block, or undefined where there is none. */
export function blockIn(whole: string): string | undefined {
  const place = find(whole)
  return place && whole.slice(place.inside, place.end)
}

/** Puts tables into the block, which is made at the end where there is none. */
export function setBlock(whole: string, tables: Record<string, unknown>): string {
  const eol = whole.includes('\r\n') ? '\r\n' : '\n'
  const printed = [MARKED, ...stringify(tables).trim().split('\n'), END].join(eol) + eol
  const place = find(whole)
  if (place) {
    const kept = foreignTables(whole.slice(place.inside, place.end), tables, eol)
    return whole.slice(0, place.begin) + printed + kept + whole.slice(place.after)
  }
  const gap = whole === '' || whole === BOM ? '' : /\n$/.test(whole) ? eol : eol + eol
  return whole + gap + printed
}

/** Takes the block out, but for what somebody else has put into it. */
export function removeBlock(whole: string, tables: Record<string, unknown> = {}): string {
  const place = find(whole)
  if (!place) return whole
  const eol = whole.includes('\r\n') ? '\r\n' : '\n'
  const kept = foreignTables(whole.slice(place.inside, place.end), tables, eol)
  // With the empty line that came with it.
  const before = whole.slice(0, place.begin).replace(/(?<=\n)\r?\n$/, '')
  return before + (kept === '' ? '' : eol + kept) + whole.slice(place.after)
}

interface Place {
  begin: number
  inside: number
  end: number
  after: number
}

function find(whole: string): Place | undefined {
  const begin = lineWith(whole, BEGIN, 0)
  if (begin === undefined) return undefined
  const inside = endOfLine(whole, begin)
  const end = lineWith(whole, END, inside)
  if (end === undefined)
    throw new CannotEdit(`the end of Reverie's block is gone (a line "${END}"); take the block out by hand`)
  return { begin, inside, end, after: endOfLine(whole, end) }
}

function lineWith(whole: string, beginning: string, from: number): number | undefined {
  for (let at = whole.indexOf(beginning, from); at >= 0; at = whole.indexOf(beginning, at + 1))
    if (at === 0 || whole[at - 1] === '\n' || (at === 1 && whole[0] === BOM)) return at
  return undefined
}

function endOfLine(whole: string, from: number): number {
  const end = whole.indexOf('\n', from)
  return end < 0 ? whole.length : end + 1
}

const HEADER = /^\s*\[{1,2}\s*(.+?)\s*\]{1,2}\s*(?:#.*)?$/

interface Group {
  header: string
  lines: string[]
}

/** The tables of a text, each with those below it; what stands before the first has no header. */
function groupsIn(lines: readonly string[]): Group[] {
  const groups: Group[] = [{ header: '', lines: [] }]
  for (const line of lines) {
    const header = HEADER.exec(line)?.[1]
    const group = groups.at(-1)
    if (header === undefined || (group?.header && header.startsWith(`${group.header}.`)))
      group?.lines.push(line)
    else groups.push({ header, lines: [line] })
  }
  return groups
}

interface Inside {
  own: Group[]
  foreign: Group[]
}

/** A program that writes settings by itself may put tables of its own between ours: they are its own. */
function partsOf(inside: string, ours: Record<string, unknown>): Inside {
  const names = headersOf(stringify(ours))
  const parts: Inside = { own: [], foreign: [] }
  for (const group of groupsIn(inside.split(/\r?\n/))) {
    const { header, lines } = group
    const isOwn = header.startsWith('hooks.')
      ? isHookOfOurs(lines.join('\n'))
      : header === '' || names.some(name => header === name || header.startsWith(`${name}.`))
    parts[isOwn ? 'own' : 'foreign'].push(group)
  }
  return parts
}

function foreignTables(inside: string, ours: Record<string, unknown>, eol: string): string {
  const { foreign } = partsOf(inside, ours)
  return foreign.map(({ lines }) => lines.join(eol).trim() + eol).join(eol)
}

/** Of what stands in the block, what is ours: the tables that we write, with what was added to them. */
export function ownTables(inside: string, ours: Record<string, unknown>): Record<string, unknown> {
  const { own } = partsOf(inside, ours)
  return tomlValue(own.flatMap(({ lines }) => lines).join('\n'))
}

/** Edits what stands before and after the block. A mark that is left of a block that somebody took out goes as well. */
export function editAround(whole: string, edit: (text: string) => string): string {
  const place = find(whole)
  const tidy = (text: string) => edit(text.replaceAll(LEFT_OVER, ''))
  if (!place) return tidy(whole)
  const { begin, after } = place
  return tidy(whole.slice(0, begin)) + whole.slice(begin, after) + tidy(whole.slice(after))
}

/** Takes out tables, each with those below it. A remark that stands before the next one stays. */
export function removeTables(text: string, isChosen: (table: Record<string, unknown>) => boolean): string {
  const groups = groupsIn(text.split(/(?<=\n)/))
  const kept = groups.map(({ header, lines }) => {
    const end = lines.findLastIndex(line => !/^\s*(?:#.*)?\s*$/.test(line)) + 1
    const table = header === '' ? undefined : tableIn(lines.slice(0, end).join(''))
    if (!table || !isChosen(table)) return lines.join('')
    const rest = lines.slice(end).join('')
    return rest.trim() === '' ? '' : rest
  })
  const left = kept.join('')
  // With the empty line that came with them.
  return left === text ? text : left.replace(/(?<=\n)(?:\r?\n)+$/, '')
}

/** Undefined for what is no table: it only looks like one, in the middle of a text. */
function tableIn(text: string): Record<string, unknown> | undefined {
  try {
    return parse(text, WHOLE_NUMBERS)
  } catch {
    return undefined
  }
}

function headersOf(printed: string): string[] {
  return printed.split('\n').flatMap(line => HEADER.exec(line)?.[1] ?? [])
}
