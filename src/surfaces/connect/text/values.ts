/** Looking into what stands in a settings file, whatever its format is. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonPath } from './json-text.ts'

export function at(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, step) => (isObject(inner) ? (inner as Record<string | number, unknown>)[step] : undefined),
    value,
  )
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether an entry is one of ours, as it is written now: whoever reads it may have added something to it. */
export function contains(entry: unknown, ours: unknown): boolean {
  if (!isObject(ours) || Array.isArray(ours)) return isDeepStrictEqual(entry, ours)
  return isObject(entry) && Object.entries(ours).every(([name, value]) => contains(at(entry, [name]), value))
}

/** The words that an entry of an MCP server at a path starts a program with; none where it starts none. */
export function wordsAt(value: unknown, path: JsonPath): string[][] {
  const [command, args] = [at(value, [...path, 'command']), at(value, [...path, 'args'])]
  const words = [command, args ?? []].flat()
  return command === undefined || !words.every(word => typeof word === 'string') ? [] : [words as string[]]
}

/** The commands of all hooks, whosever they are. */
export function commandsOf(value: unknown): unknown[] {
  const lists = Object.values((at(value, ['hooks']) ?? {}) as Record<string, unknown>)
  const elements = lists.flatMap(list => (Array.isArray(list) ? list : []))
  const commands = elements.flatMap(element => [
    at(element, ['command']),
    ...[at(element, ['hooks'])].flat().map(each => at(each, ['command'])),
  ])
  return commands.filter(command => command !== undefined)
}
