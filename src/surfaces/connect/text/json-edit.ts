/** Changes of a settings file that leave every other byte of it as it was. From text to text. */
import { createScanner } from 'jsonc-parser'
import { CannotEdit } from '../cannot-edit.ts'
import { type JsonNode, type JsonPath, memberOf, nodeAt, readJsonText } from './json-text.ts'

/** Sets what stands at a path; objects on the way that are not there are made. */
export function setValue(whole: string, path: JsonPath, value: unknown): string {
  return edited(whole, path, (file, root) => {
    const node = nodeAt(root, path)
    if (!node) return insert(file, root, path, value)
    const oneLine = !file.text.slice(root.offset, root.offset + root.length).includes('\n')
    const printed = print(value, file, indentAt(file.text, node.offset), oneLine)
    return replace(file.text, node.offset, node.length, printed)
  })
}

/** Adds an element to the end of an array, which is made where there is none. */
export function addElement(whole: string, path: JsonPath, value: unknown): string {
  return edited(whole, path, (file, root) => {
    const array = nodeAt(root, path)
    if (!array) return insert(file, root, path, [value])
    if (array.type !== 'array') throw new CannotEdit(`${named(path)} is not a list`)
    return addChild(file, array, (indent, compact) => print(value, file, indent, compact))
  })
}

/** Takes out a member or an element; nothing happens where there is none. */
export function removeValue(whole: string, path: JsonPath): string {
  return edited(whole, path, ({ text }, root) => {
    const container = nodeAt(root, path.slice(0, -1))
    const last = path.at(-1)
    const child = typeof last === 'string' ? container && memberOf(container, last) : nodeAt(root, path)
    return container && child ? removeChild(text, container, child) : text
  })
}

/** How a file is written. */
interface Manner {
  text: string
  /** One step of indentation. */
  unit: string
  eol: string
}

function edited(whole: string, path: JsonPath, edit: (file: Manner, root: JsonNode) => string): string {
  const { text, mark, root } = readJsonText(whole)
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  // Nothing but space and comments: an object comes after them.
  if (!root) return edited(`${whole}${/(?:^|\n)$/.test(text) ? '' : eol}{}${eol}`, path, edit)
  return mark + edit({ text, unit: unitOf(text, root), eol }, root)
}

const UNIT = '  '

/** As the first member of the file is indented. */
function unitOf(text: string, root: JsonNode): string {
  const [first] = root.children ?? []
  return (first && startsItsLine(text, first.offset) && indentAt(text, first.offset)) || UNIT
}

function insert(file: Manner, root: JsonNode, path: JsonPath, value: unknown): string {
  // As deep as it goes already.
  let depth = path.length - 1
  while (!nodeAt(root, path.slice(0, depth))) depth--
  const container = nodeAt(root, path.slice(0, depth)) ?? root
  if (container.type !== 'object') throw new CannotEdit(`${named(path.slice(0, depth))} is not an object`)
  const [name, ...rest] = path.slice(depth)
  const nested = rest.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value)
  return addChild(file, container, (indent, compact) => {
    const colon = compact && !/":\s/.test(file.text) ? ':' : ': '
    return `${JSON.stringify(name)}${colon}${print(nested, file, indent, compact)}`
  })
}

function named(path: JsonPath): string {
  return JSON.stringify(path.join('.'))
}

function print(value: unknown, { unit, eol }: Manner, indent: string, compact = false): string {
  if (compact) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

/** Puts something at the end of an object or an array, in the manner of what stands there. */
function addChild(file: Manner, container: JsonNode, printed: (indent: string, compact: boolean) => string) {
  const { text, unit, eol } = file
  const { children = [], offset, length } = container
  const closing = offset + length - 1
  const outer = indentAt(text, offset)
  const last = children.at(-1)
  if (!last) {
    const inside = text.slice(offset + 1, closing)
    const at = offset + 1 + inside.trimEnd().length
    const end = inside.slice(inside.trimEnd().length).includes('\n') ? '' : eol + outer
    return splice(text, at, eol + outer + unit + printed(outer + unit, false) + end)
  }
  const comma = commaAfter(text, last, closing)
  const after = comma === undefined ? last.offset + last.length : comma + 1
  const trailing = comma === undefined ? '' : ','
  if (!text.slice(offset, closing).includes('\n')) {
    const space = /[,{[]\s/.test(text.slice(offset, closing)) ? ' ' : ''
    return splice(text, after, (comma === undefined ? ',' : '') + space + printed(outer, true) + trailing)
  }
  const first = children[0] ?? last
  const indent = startsItsLine(text, first.offset) ? indentAt(text, first.offset) : outer + unit
  const added = splice(text, afterRemark(text, after), eol + indent + printed(indent, false) + trailing)
  return comma === undefined ? splice(added, after, ',') : added
}

/** A remark on the same line belongs to what stands before it. */
function afterRemark(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  const rest = text.slice(from, end < 0 ? text.length : end).trimEnd()
  return /^(?:\s|\/\/.*|\/\*[^\n]*?\*\/)*$/.test(rest) ? from + rest.length : from
}

function removeChild(text: string, container: JsonNode, child: JsonNode): string {
  const { children = [] } = container
  const closing = container.offset + container.length - 1
  const at = children.indexOf(child)
  const before = children[at - 1]
  const isLast = at === children.length - 1
  const end = child.offset + child.length
  const comma = commaAfter(text, child, closing)
  const until = comma === undefined ? end : comma + 1
  const removed = replace(text, spaceBefore(text, child.offset), until - spaceBefore(text, child.offset), '')
  // The last one leaves no comma behind, unless that is how the file is written.
  const commaBefore =
    isLast && comma === undefined && before ? commaAfter(text, before, child.offset) : undefined
  const without = commaBefore === undefined ? removed : replace(removed, commaBefore, 1, '')
  if (children.length > 1) return without
  const left = without.slice(container.offset + 1, without.length - (text.length - closing))
  return left.trim() === '' ? replace(without, container.offset + 1, left.length, '') : without
}

/** Where the line break, or the space, before something begins. */
function spaceBefore(text: string, offset: number): number {
  let at = offset
  while (/[ \t]/.test(text[at - 1] ?? '')) at--
  if (text[at - 1] === '\n') at -= text[at - 2] === '\r' ? 2 : 1
  return at
}

/** The comma after something, passing space and remarks. */
function commaAfter(text: string, { offset, length }: JsonNode, closing: number): number | undefined {
  const scanner = createScanner(text.slice(0, closing), true)
  scanner.setPosition(offset + length)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return at < closing && text[at] === ',' ? at : undefined
}

function startsItsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === ''
}

/** The space that a line begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function splice(text: string, at: number, added: string): string {
  return replace(text, at, 0, added)
}

function replace(text: string, at: number, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length)
}
