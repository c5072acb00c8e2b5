import { ReverieError } from '../store/index.ts'
import { type Desk, shelfOf } from './desk.ts'
import { type Entry, parseEntry } from './entry.ts'
import { assertMemoryFile } from './name.ts'
import { SCOPES, type Scope, type Shelf, type StoredText } from './shelf.ts'

/** No memory file of that name. */
export class NoSuchMemory extends ReverieError {}

/** More than one scope has it, and what is asked for cannot be undone. */
export class AmbiguousMemory extends ReverieError {}

/** The shelf that has a file, and its text. Without a scope the nearest wins: project, user, team. */
export async function findFile(
  desk: Desk,
  file: string,
  scope?: Scope,
): Promise<{ shelf: Shelf; stored: StoredText }> {
  assertMemoryFile(file)
  for (const shelf of shelvesFor(desk, scope)) {
    const stored = await shelf.read(file)
    if (stored && 'unreadable' in stored)
      throw new ReverieError(`${file} cannot be read: ${stored.unreadable}.`)
    if (stored) return { shelf, stored }
  }
  const where = scope ? ` in scope ${scope}` : ''
  throw new NoSuchMemory(`There is no memory ${file}${where}. \`reverie memory list\` shows what there is.`)
}

/** One scope, or all of them with the nearest first. */
export function shelvesFor(desk: Desk, scope?: Scope): Shelf[] {
  if (scope) return [shelfOf(desk, scope)]
  return SCOPES.flatMap(each => desk.shelves.filter(shelf => shelf.scope === each))
}

export function entryOf(file: string, text: string): Entry {
  const parsed = parseEntry(text)
  if (!parsed.ok) throw new ReverieError(`${file} is not a memory: ${parsed.problem.detail}.`)
  return parsed.entry
}
