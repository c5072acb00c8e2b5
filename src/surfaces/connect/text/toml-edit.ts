/** A marked block at the end of a TOML file; the rest is never printed anew. From text to text. */
import { parse, stringify } from 'smol-toml'
import { because } from '../../../store/index.ts'
import { CannotEdit } from '../cannot-edit.ts'
import { isHookOfOurs } from '../command-line.ts'

const BOM = '\ufeff'
const BEGIN = '# >>> reverie: '
const END = '# <<< reverie'
const MARKED = `${BEGIN}written by "reverie connect", taken out by "reverie disconnect"`

export function tomlValue(whole: string): Record<string, unknown> {
  try {
    return parse(whole.startsWith(BOM) ? whole.slice(BOM.length) : whole)
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

/** A program that writes settings by itself may put tables of its own between ours: they are its own. */
function foreignTables(inside: string, ours: Record<string, unknown>, eol: string): string {
  const names = new Set(headersOf(stringify(ours)))
  const groups: Array<{ header: string; lines: string[] }> = []
  for (const line of inside.split(/\r?\n/)) {
    const header = HEADER.exec(line)?.[1]
    const group = groups.at(-1)
    // A table below another belongs to it.
    if (header !== undefined && !(group && header.startsWith(`${group.header}.`)))
      groups.push({ header, lines: [line] })
    else group?.lines.push(line)
  }
  const foreign = groups.filter(({ header, lines }) =>
    header.startsWith('hooks.') ? !isHookOfOurs(lines.join('\n')) : !names.has(header),
  )
  return foreign.map(({ lines }) => lines.join(eol).trim() + eol).join(eol)
}

function headersOf(printed: string): string[] {
  return printed.split('\n').flatMap(line => HEADER.exec(line)?.[1] ?? [])
}
