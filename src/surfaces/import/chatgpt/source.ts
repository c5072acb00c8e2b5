import { join } from 'node:path'
import { ReverieError } from '../../../store/index.ts'
import { Finder } from '../finder.ts'
import { field, textIn, timeOf } from '../json.ts'
import { bytesOf } from '../lines.ts'
import { NOTHING, type Source, type SourceSession, type Stamp, type Unreadable } from '../source.ts'
import { convertConversation } from './conversation.ts'
import { elementsOf, NotAnArray } from './json-array.ts'

class NotAnExport extends ReverieError {}

const CONVERSATIONS = /^conversations(?:-\d+)?\.json$/

/** The directory of an export of ChatGPT, or the file of conversations in it. */
export async function openChatGpt(path: string): Promise<Source> {
  if (/\.zip$/i.test(path))
    throw new NotAnExport(`${path} is packed. Unpack it, and give the directory: --from DIR.`)
  const finder = new Finder()
  const isDirectory = await finder.isDirectory(path)
  const names = isDirectory ? (await finder.names(path)).filter(name => CONVERSATIONS.test(name)) : []
  const files = isDirectory ? names.map(name => join(path, name)) : [path]
  const unreadable = finder.unreadable
  return { ...NOTHING, path, sessions: sessionsIn(files, finder, unreadable), unreadable }
}

async function* sessionsIn(
  files: readonly string[],
  finder: Finder,
  unreadable: Unreadable[],
): AsyncGenerator<SourceSession> {
  const seen = new Set<string>()
  for (const file of files) {
    const stamp = await finder.stampOf(file)
    if (!stamp) continue
    try {
      yield* conversationsIn(file, stamp, seen, unreadable)
    } catch (error) {
      if (!(error instanceof NotAnArray)) throw error
      unreadable.push({ file, reason: 'it is not a list of conversations' })
    }
  }
}

async function* conversationsIn(
  file: string,
  stamp: Stamp,
  seen: Set<string>,
  unreadable: Unreadable[],
): AsyncGenerator<SourceSession> {
  let number = 0
  for await (const { bytes, value, problem } of elementsOf(bytesOf(file, stamp))) {
    number++
    const id = textIn(value, 'conversation_id') ?? textIn(value, 'id')
    if (problem !== undefined || id === undefined) {
      unreadable.push({ file, reason: `conversation ${number}: ${problem ?? 'it has no id'}` })
      continue
    }
    if (seen.has(id)) continue
    seen.add(id)
    const updated = Date.parse(timeOf(field(value, 'update_time')) ?? '') || 0
    yield {
      id,
      file,
      stamp: { bytes, mtimeMs: updated },
      directory: () => Promise.resolve(undefined),
      read: async function* () {
        for (const told of convertConversation(value))
          yield 'problem' in told ? { problem: `conversation ${number}: ${told.problem}` } : told
      },
    }
  }
}
