/** Everything of ours in one settings file: put in, and taken out. From text to text. */
import { isDeepStrictEqual } from 'node:util'
import { CannotEdit } from '../cannot-edit.ts'
import { isHookOfOurs } from '../command-line.ts'
import type { Piece, Settings } from '../other-agent.ts'
import { addElement, removeValue, setValue } from './json-edit.ts'
import { type JsonNode, type JsonPath, jsonValue, nodeAt, readJsonText, valueAt } from './json-text.ts'
import { membersInBlock, putTables, takeOutTables } from './tables.ts'
import { blockIn, tomlValue } from './toml-edit.ts'
import { at, commandsOf, contains, isObject, wordsAt } from './values.ts'

/** What we have put into a file, as it has to be known to take it out again. */
export interface Made {
  /** Members that are ours. */
  members: JsonPath[]
  /** Objects and lists that we made to put something into, and companions. */
  around: JsonPath[]
}

export const NOTHING_MADE: Made = { members: [], around: [] }

export interface Put {
  text: string
  made: Made
  /** Entries under our name that somebody else wrote: they are left alone. */
  byHand: JsonPath[]
}

type File = Pick<Settings, 'format' | 'pieces'>

/** Puts our pieces in, or brings them up to date. Throws CannotEdit where anything else would change. */
export function putIn(whole: string, file: File, made: Made): Put {
  const put = file.format === 'toml' ? putInTables(whole, file, made) : putMembers(whole, file, made)
  // Of both times: what was ours may stand elsewhere now.
  const members = [...made.members, ...put.made.members]
  const before = valuesOf(takeOut(whole, file, { ...put.made, members }), file)
  const after = valuesOf(takeOut(put.text, file, put.made), file)
  if (!isDeepStrictEqual(before, after) && !isDeepStrictEqual({ ...companionsOf(file), ...before }, after))
    throw new CannotEdit('something else in it would change')
  return put
}

/** Takes out what is ours and nothing else. */
export function takeOut(whole: string, file: File, made: Made): string {
  if (file.format === 'toml') return takeOutTables(whole, file.pieces, made.members)
  const without = [...made.members].reduce(removeValue, withoutHooks(whole))
  const emptied = made.around.toSorted((a, b) => b.length - a.length).reduce(removeIfEmpty, without)
  return made.around.reduce(removeCompanion, emptied)
}

/** What is ours in a file that we have no record of: members that start what ours would, and those in our block. */
export function likelyMade(whole: string, { format, pieces }: File): Made {
  const values = valuesOf(whole, { format, pieces })
  const members = pieces.flatMap(({ kind, path, value }) =>
    kind === 'member' && contains(at(values, path), value) ? [path] : [],
  )
  const marked = format === 'toml' ? membersInBlock(whole, pieces) : []
  return { members: unique([...members, ...marked]), around: [] }
}

/** The setting by which a file says that no hooks are to be run, if it does. */
export function switchedOffBy(whole: string, file: Settings): JsonPath | undefined {
  const { paths = [], off } = file.switch ?? {}
  const values = valuesOf(whole, file)
  return paths.find(path => at(values, path) === off)
}

/** Whether nothing is left in a file. */
export function isEmptied(whole: string, { format }: File): boolean {
  return whole.trim() === '' || (format === 'json' && /^\ufeff?\s*\{\s*\}\s*$/.test(whole))
}

/** The commands of ours that stand in a file: lines for a shell, or lists of words. */
export function commandsIn(whole: string, { format, pieces }: File): Array<string | readonly string[]> {
  const value = valuesOf(whole, { format, pieces })
  const block = format === 'toml' ? tomlValue(blockIn(whole) ?? '') : value
  const servers = pieces.flatMap(({ kind, path }) => (kind === 'member' ? wordsAt(block, path) : []))
  return [...servers, ...hookLines(value)]
}

function valuesOf(whole: string, { format }: File): object {
  return format === 'toml' ? tomlValue(whole) : jsonValue(whole)
}

/** They stay while somebody else's hooks need them as well. */
function companionsOf({ pieces }: File): object {
  const companions = pieces.filter(({ kind }) => kind === 'companion')
  return Object.fromEntries(companions.map(({ path, value }) => [path[0], value]))
}

function putInTables(whole: string, { pieces }: File, made: Made): Put {
  const { text, members, byHand } = putTables(whole, pieces, made.members)
  return { text, made: { members, around: [] }, byHand }
}

function putMembers(whole: string, { pieces }: File, { members, around }: Made): Put {
  const made: Made = { members: [], around: [...around] }
  const byHand: JsonPath[] = []
  // Where the program has another place for them now.
  const left = members.filter(path => !pieces.some(piece => isDeepStrictEqual(piece.path, path)))
  let text = left.reduce(removeValue, withoutStrayHooks(whole, pieces))
  for (const piece of pieces) {
    const { kind, path, value } = piece
    const { root } = readJsonText(text)
    const found = kind === 'hook' ? hookAt(root, path) : nodeAt(root, path)
    if (kind === 'companion') {
      if (found) continue
      made.around.push(path)
    } else if (kind === 'member' && found && !members.some(each => isDeepStrictEqual(each, path))) {
      // One that is just like ours is as good, and stays when ours go.
      if (!contains(valueAt(found), value)) byHand.push(path)
      continue
    }
    const containers = kind === 'hook' ? path.length : path.length - 1
    for (let depth = 1; depth <= containers; depth++)
      if (!nodeAt(root, path.slice(0, depth))) made.around.push(path.slice(0, depth))
    if (kind === 'member') made.members.push(path)
    if (found) text = bringUpToDate(text, kind === 'hook' ? pathOf(found, root, path) : path, value)
    else text = add(text, piece)
  }
  return { text, made: { ...made, around: unique(made.around) }, byHand }
}

function add(text: string, { kind, path, value }: Piece): string {
  return kind === 'hook' ? addElement(text, path, value) : setValue(text, path, value)
}

/** Only what of ours is written differently now: what somebody added to an entry of ours stays. */
function bringUpToDate(text: string, path: JsonPath, value: unknown): string {
  const found = nodeAt(readJsonText(text).root, path)
  const isList = Array.isArray(value)
  const isAlike = isList
    ? value.every(isObject) && found?.type === 'array' && found.children?.length === value.length
    : isObject(value) && found?.type === 'object'
  if (!isAlike) return isDeepStrictEqual(valueAt(found), value) ? text : setValue(text, path, value)
  return Object.entries(value as object).reduce(
    (edited, [name, inner]) => bringUpToDate(edited, [...path, isList ? Number(name) : name], inner),
    text,
  )
}

function unique(paths: readonly JsonPath[]): JsonPath[] {
  return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()]
}

/** The first hook of ours in a list. */
function hookAt(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  return nodeAt(root, path)?.children?.find(isOurs)
}

function pathOf(element: JsonNode, root: JsonNode | undefined, path: JsonPath): JsonPath {
  return [...path, nodeAt(root, path)?.children?.indexOf(element) ?? 0]
}

/** Whether an element holds a hook of ours and nobody else's. */
function isOurs(element: JsonNode): boolean {
  const inner = nodeAt(element, ['hooks'])
  if (!inner) return isHookOfOurs(nodeAt(element, ['command'])?.value)
  return inner.children !== undefined && inner.children.length > 0 && inner.children.every(isOurs)
}

/** All hooks of ours but the first of each list that we want one in. */
function withoutStrayHooks(whole: string, pieces: readonly Piece[]): string {
  const wanted = pieces.flatMap(({ kind, path }) => (kind === 'hook' ? [path] : []))
  return takeOutHooks(whole, (list, element, root) => {
    const path = wanted.find(each => nodeAt(root, each) === list)
    return path === undefined || hookAt(root, path) !== element
  })
}

function withoutHooks(whole: string): string {
  return takeOutHooks(whole, () => true)
}

type Chooses = (list: JsonNode, element: JsonNode, root: JsonNode) => boolean

function takeOutHooks(whole: string, chosen: Chooses): string {
  for (let text = whole; ; ) {
    const { root } = readJsonText(text)
    const path = root && findHook(root, chosen)
    if (!path) return text
    text = removeValue(text, path)
  }
}

function findHook(root: JsonNode, chosen: Chooses): JsonPath | undefined {
  for (const member of nodeAt(root, ['hooks'])?.children ?? []) {
    const [name, list] = member.children ?? []
    if (list?.type !== 'array' || nodeAt(root, ['hooks', String(name?.value)]) !== list) continue
    for (const [place, element] of (list.children ?? []).entries()) {
      const path = ['hooks', String(name?.value), place]
      if (isOurs(element)) {
        if (chosen(list, element, root)) return path
        continue
      }
      // One of ours in the middle of somebody's group.
      const inner = nodeAt(element, ['hooks'])?.children?.findIndex(isOurs) ?? -1
      if (inner >= 0) return [...path, 'hooks', inner]
    }
  }
  return undefined
}

function removeIfEmpty(text: string, path: JsonPath): string {
  const node = nodeAt(readJsonText(text).root, path)
  const isEmpty =
    node &&
    /^(?:\{\s*\}|\[\s*\])$/.test(readJsonText(text).text.slice(node.offset, node.offset + node.length))
  return isEmpty ? removeValue(text, path) : text
}

/** A companion goes with the last hook. */
function removeCompanion(text: string, path: JsonPath): string {
  const { root } = readJsonText(text)
  const node = nodeAt(root, path)
  const isCompanion = node !== undefined && node.children === undefined
  const hasHooks = nodeAt(root, ['hooks'])?.children?.some(({ children }) => children?.[1]?.children?.length)
  return isCompanion && !hasHooks ? removeValue(text, path) : text
}

function hookLines(value: unknown): string[] {
  return commandsOf(value).filter((line): line is string => isHookOfOurs(line))
}
