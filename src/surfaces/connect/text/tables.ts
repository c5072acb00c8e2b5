/** What is ours in a TOML file: in a marked block, and whatever other programs have made of it there and beside it. */
import { isDeepStrictEqual } from 'node:util'
import { CannotEdit } from '../cannot-edit.ts'
import { isHookOfOurs } from '../command-line.ts'
import type { Piece } from '../other-agent.ts'
import type { JsonPath } from './json-text.ts'
import {
  blockIn,
  editAround,
  ownTables,
  removeBlock,
  removeTables,
  setBlock,
  tomlValue,
} from './toml-edit.ts'
import { at, commandsOf, contains, isObject, wordsAt } from './values.ts'

interface PutTables {
  text: string
  /** The members that are ours. */
  members: JsonPath[]
  byHand: JsonPath[]
}

/** `made` are the members that were ours before. */
export function putTables(given: string, pieces: readonly Piece[], made: readonly JsonPath[]): PutTables {
  if (isThere(given, pieces, made)) return { text: given, members: [...made], byHand: [] }
  const whole = withoutStrays(given, made)
  const others = tomlValue(removeBlock(whole, tablesOf(pieces)))
  const standing = pieces.filter(({ kind, path }) => kind === 'member' && stands(at(others, path)))
  const byHand = standing.filter(({ path, value }) => !contains(at(others, path), value))
  const ours = pieces.filter(piece => !standing.includes(piece))
  const text = ours.length > 0 ? putBlock(whole, ours) : removeBlock(whole, tablesOf(pieces))
  try {
    tomlValue(text)
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error
    const names = [...new Set(ours.map(({ path }) => path[0]))].join(' and ')
    throw new CannotEdit(
      `${names} cannot be added to in the way it is written (as tables in braces or brackets)`,
    )
  }
  const members = ours.flatMap(({ kind, path }) => (kind === 'member' ? [path] : []))
  return { text, members, byHand: byHand.map(({ path }) => path) }
}

/** Whether all of ours says what it should: Codex moves tables about and loses marks whenever it adds a server. */
function isThere(given: string, pieces: readonly Piece[], made: readonly JsonPath[]): boolean {
  const values = tomlValue(given)
  const hooks = pieces.filter(({ kind }) => kind === 'hook')
  const isPut = ({ kind, path, value }: Piece): boolean => {
    const there = at(values, path)
    return kind === 'hook'
      ? Array.isArray(there) && there.some(entry => contains(entry, value))
      : made.some(each => isDeepStrictEqual(each, path)) && contains(there, value)
  }
  return pieces.every(isPut) && commandsOf(values).filter(isHookOfOurs).length === hooks.length
}

/**
 * Takes out what is ours, with what was added to it: Codex writes down which of a server's tools its owner allowed, and
 * reads no settings any more in which that is all there is of a server.
 */
export function takeOutTables(whole: string, pieces: readonly Piece[], made: readonly JsonPath[]): string {
  const without = withoutStrays(removeBlock(whole, tablesOf(pieces)), made)
  return removeTables(without, value => made.some(path => isAddition(at(value, path))))
}

/** The members in the block, whatever was added to them. */
export function membersInBlock(whole: string, pieces: readonly Piece[]): JsonPath[] {
  const inside = tomlValue(blockIn(whole) ?? '')
  return pieces.flatMap(({ kind, path }) =>
    kind === 'member' && at(inside, path) !== undefined ? [path] : [],
  )
}

/** What somebody added to our entries in the block stays there; where nothing of ours differs, so does all of it. */
function putBlock(whole: string, ours: readonly Piece[]): string {
  const inside = blockIn(whole)
  if (inside === undefined) return setBlock(whole, tablesOf(ours))
  const own = ownTables(inside, tablesOf(ours))
  const merged = ours.map((piece): Piece => {
    const { kind, path, value } = piece
    const there = at(own, path)
    return kind === 'member' && isObject(there)
      ? { ...piece, value: { ...there, ...(value as object) } }
      : piece
  })
  return isDeepStrictEqual(own, tablesOf(merged)) ? whole : setBlock(whole, tablesOf(merged))
}

/** Whether something stands under our name that is more than additions to an entry of ours. */
function stands(entry: unknown): boolean {
  return entry !== undefined && !isAddition(entry)
}

function isAddition(entry: unknown): boolean {
  return isObject(entry) && Object.values(entry).every(value => isObject(value) && !Array.isArray(value))
}

/** Ours beside the block: a program that writes the file anew keeps tables and loses what marks them. */
function withoutStrays(whole: string, members: readonly JsonPath[]): string {
  return editAround(whole, text =>
    removeTables(text, value => {
      const commands = commandsOf(value)
      const isHook = commands.length > 0 && commands.every(isHookOfOurs)
      return isHook || members.some(path => startsOurs(wordsAt(value, path)))
    }),
  )
}

function startsOurs([words = []]: string[][]): boolean {
  const [program = '', ...rest] = words
  return /(?:^|[\\/])(?:reverie|node(?:\.exe)?)$/.test(program) && rest.includes('mcp')
}

function tablesOf(pieces: readonly Piece[]): Record<string, unknown> {
  const tables: Record<string, unknown> = {}
  for (const { kind, path, value } of pieces) {
    let table = tables
    for (const step of path.slice(0, -1)) {
      table[step] ??= {}
      table = table[step] as Record<string, unknown>
    }
    const last = path.at(-1) ?? ''
    table[last] = kind === 'hook' ? [...((table[last] as unknown[]) ?? []), value] : value
  }
  return tables
}
