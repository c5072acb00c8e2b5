import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Finder } from '../finder.ts'
import { shortHash } from '../ids.ts'
import { countIn, isFields, textIn } from '../json.ts'
import { bytesOf, linesOf } from '../lines.ts'
import {
  OWN_FILES,
  type Source,
  type SourceMemory,
  type SourceOwnFile,
  type SourceSession,
  type SourceSummary,
} from '../source.ts'
import { findInHead, readTranscript } from '../transcript-file.ts'
import { isTemplate, notesIn } from './notes.ts'
import { NanobotSession } from './session.ts'

const TEMPLATES = 'files that hold nothing but their template'
const OLD_HISTORY = 'files of the old form HISTORY.md'
/** nanobot has no projects: what it knows belongs to the one that is being worked in. */
const nowhere = () => Promise.resolve(undefined)

/** A workspace of nanobot, or the directory that holds the usual one. */
export async function openNanobot(path: string): Promise<Source> {
  const finder = new Finder()
  const workspace = (await finder.isDirectory(join(path, 'workspace'))) ? join(path, 'workspace') : path
  const root = await realpath(workspace)
  const sessions = await sessionsIn(join(workspace, 'sessions'), finder)
  // Early versions kept them beside the workspace; later ones move them when they are needed.
  const early = workspace === path ? [] : await sessionsIn(join(path, 'sessions'), finder)
  sessions.push(...early.filter(({ id }) => sessions.every(session => session.id !== id)))
  const memories = await memoriesIn(workspace, root, finder)
  const ownFiles = await ownFilesIn(workspace, root, finder)
  const history = await historyIn(join(workspace, 'memory'), root, finder)
  const { unreadable, leftOut } = finder
  return { path, sessions, memories, history, ownFiles, unreadable, leftOut }
}

async function sessionsIn(directory: string, finder: Finder): Promise<SourceSession[]> {
  const sessions: SourceSession[] = []
  for (const name of (await finder.names(directory)).filter(each => each.endsWith('.jsonl'))) {
    const file = join(directory, name)
    const stamp = await finder.stampOf(file)
    if (!stamp) continue
    const key = basename(name, '.jsonl')
    // Every workspace has a cli_direct: when it was begun tells them apart, also when the workspace is copied.
    const begun = await findInHead(file, stamp, line => textIn(line, 'created_at')).catch(() => undefined)
    sessions.push({
      id: begun === undefined ? key : `${key}-${shortHash(begun)}`,
      file,
      stamp,
      directory: nowhere,
      read: () => readTranscript(file, stamp, new NanobotSession(new Date(stamp.mtimeMs).toISOString(), key)),
    })
  }
  return sessions
}

async function memoriesIn(workspace: string, root: string, finder: Finder): Promise<SourceMemory[]> {
  const file = join(workspace, 'memory', 'MEMORY.md')
  if (!(await finder.names(join(workspace, 'memory'))).includes('MEMORY.md')) return []
  const found = await finder.textOf(file, root)
  if (!found) return []
  return notesIn(found.text).map(({ body, ...note }) => ({
    id: `${root}/memory/MEMORY.md#${note.name}`,
    file,
    text: body,
    at: found.at,
    draft: { ...note, body, scope: note.type === 'user' ? 'user' : 'project' },
    directory: nowhere,
  }))
}

async function ownFilesIn(workspace: string, root: string, finder: Finder): Promise<SourceOwnFile[]> {
  const names = await finder.names(workspace)
  const files: SourceOwnFile[] = []
  for (const name of OWN_FILES.filter(each => names.includes(each))) {
    const file = join(workspace, name)
    const found = await finder.textOf(file, root)
    if (!found) continue
    if (isTemplate(found.text)) finder.leaveOut(TEMPLATES)
    else files.push({ name, id: `${root}/${name}`, file, ...found })
  }
  return files
}

async function historyIn(directory: string, root: string, finder: Finder): Promise<SourceSummary[]> {
  const names = await finder.names(directory)
  if (names.includes('HISTORY.md')) finder.leaveOut(OLD_HISTORY)
  const file = join(directory, 'history.jsonl')
  if (!names.includes('history.jsonl') || !(await finder.realPathInside(file, root))) return []
  const stamp = await finder.stampOf(file)
  if (!stamp) return []
  const entries: SourceSummary[] = []
  for await (const { line, value, problem, unfinished } of linesOf(bytesOf(file, stamp))) {
    // Somebody may be writing it: it comes with the next import.
    if (unfinished) break
    const content = textIn(value, 'content')
    if (problem !== undefined || content === undefined || content.trim() === '') {
      const reason = problem ?? (isFields(value) ? 'it has no content' : 'it is not an object')
      finder.unreadable.push({ file, reason: `line ${line}: ${reason}` })
      continue
    }
    const timestamp = textIn(value, 'timestamp') ?? ''
    const at = new Date(timestamp)
    const id = `${root}/memory/history.jsonl#${countIn(value, 'cursor')}-${shortHash(timestamp + content)}`
    entries.push({ id, file, content, at: Number.isNaN(at.getTime()) ? undefined : at })
  }
  return entries
}
