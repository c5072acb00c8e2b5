import { basename, dirname, join } from 'node:path'
import { titleFrom } from '../../../session/index.ts'
import { Finder } from '../finder.ts'
import { textIn } from '../json.ts'
import { bytesOf, linesOf } from '../lines.ts'
import { NOTHING, type Source, type SourceSession, type Stamp, type Told } from '../source.ts'
import { findInHead, readTranscript } from '../transcript-file.ts'
import { CodexRollout, headOf } from './rollout.ts'

const SUB_AGENTS = 'transcripts of sub-agents'
const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/
const ID_IN_NAME = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/
const NAMES_FILE = 'session_index.jsonl'

/** `~/.codex`, a directory in it, or one rollout. */
export async function openCodex(path: string): Promise<Source> {
  const finder = new Finder()
  const sessions: SourceSession[] = []
  const seen = new Set<string>()
  const names = await namesOf(path, finder)
  for (const file of await rolloutsAt(path, finder)) {
    const id = idOf(file)
    const stamp = await finder.stampOf(file)
    // The same session may be there once more, archived or compressed.
    if (!stamp || seen.has(id)) continue
    seen.add(id)
    // What cannot be read is told when it is read for its messages.
    const head = await findInHead(file, stamp, headOf).catch(() => undefined)
    const directory = () => Promise.resolve(head?.directory)
    if (head?.isSubAgent) finder.leaveOut(SUB_AGENTS)
    else sessions.push(toSession(file, id, stamp, names.get(id), directory))
  }
  const { unreadable, leftOut } = finder
  return { ...NOTHING, path, sessions, unreadable, leftOut }
}

/** Whether a conversation is that of a script, which speaks for nobody. */
export async function isScript(file: string): Promise<boolean> {
  const stamp = await new Finder().stampOf(file)
  const head = stamp && (await findInHead(file, stamp, headOf).catch(() => undefined))
  return head?.isScript === true
}

async function rolloutsAt(path: string, finder: Finder): Promise<string[]> {
  if (!(await finder.isDirectory(path))) return [path]
  const homes = [join(path, 'sessions'), join(path, 'archived_sessions')]
  const there: string[] = []
  for (const home of homes) if (await finder.isDirectory(home)) there.push(home)
  const files: string[] = []
  for (const directory of there.length > 0 ? there : [path])
    for await (const file of finder.below(directory, name => ROLLOUT.test(name))) files.push(file)
  return files
}

function idOf(file: string): string {
  const name = basename(file).replace(/\.jsonl(?:\.zst)?$/, '')
  return ID_IN_NAME.exec(name)?.[1] ?? name
}

function toSession(
  file: string,
  id: string,
  stamp: Stamp,
  name: string | undefined,
  directory: SourceSession['directory'],
): SourceSession {
  const converter = () => new CodexRollout(new Date(stamp.mtimeMs).toISOString())
  return { id, file, stamp, directory, read: () => named(readTranscript(file, stamp, converter()), name) }
}

async function* named(told: AsyncIterable<Told>, name: string | undefined): AsyncGenerator<Told> {
  if (name !== undefined) yield { title: name }
  yield* told
}

/** What its owner called each session. Later names are appended. */
async function namesOf(path: string, finder: Finder): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const directory of [path, dirname(path)]) {
    const file = join(directory, NAMES_FILE)
    if (!(await finder.names(directory)).includes(NAMES_FILE)) continue
    const stamp = await finder.stampOf(file)
    if (!stamp) continue
    for await (const { value } of linesOf(bytesOf(file, stamp))) {
      const [id, name] = [textIn(value, 'id'), titleFrom(textIn(value, 'thread_name') ?? '')]
      if (id !== undefined && name !== '') names.set(id, name)
    }
  }
  return names
}
