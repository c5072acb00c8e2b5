import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Finder } from '../finder.ts'
import { textIn } from '../json.ts'
import { NOTHING, type Source, type SourceMemory, type SourceSession, type Stamp } from '../source.ts'
import { findInHead, readTranscript } from '../transcript-file.ts'
import { readMemoryFile } from './memory-file.ts'
import { decodedPath, encodedPath, likelyPath } from './project-directory.ts'
import { ClaudeCodeTranscript } from './transcript.ts'

const SUB_AGENTS = 'transcripts of sub-agents'
const SUB_DIRECTORIES = 'directories below a memory directory'
const INDEX_FILE = 'memory.md'

/** `~/.claude`, its `projects`, one project's directory, the `memory` in it, or one transcript. */
export async function openClaudeCode(path: string): Promise<Source> {
  const finder = new Finder()
  const root = await realpath(path)
  if (!(await finder.isDirectory(path))) return openTranscript(path, finder)
  const projects = await projectsIn(path, finder)
  const sessions: SourceSession[] = []
  const memories: SourceMemory[] = []
  const onlyMemory = basename(path) === 'memory'
  for (const project of projects) {
    if (!onlyMemory) sessions.push(...(await sessionsIn(project, finder)))
    memories.push(...(await memoriesIn(project, root, finder)))
  }
  const { unreadable, leftOut } = finder
  return { ...NOTHING, path, sessions, memories, unreadable, leftOut }
}

async function openTranscript(path: string, finder: Finder): Promise<Source> {
  const stamp = await finder.stampOf(path)
  const directory = () => Promise.resolve(stamp && directoryIn(path, stamp))
  const sessions = stamp ? [toSession(path, stamp, directory)] : []
  return { ...NOTHING, path, sessions, unreadable: finder.unreadable }
}

interface ProjectDirectory {
  path: string
  /** What Claude Code calls it. */
  name: string
  directory: () => Promise<string | undefined>
}

async function projectsIn(path: string, finder: Finder): Promise<ProjectDirectory[]> {
  if (basename(path) === 'memory') return [projectAt(dirname(path), finder)]
  const below = (await finder.isDirectory(join(path, 'projects'))) ? join(path, 'projects') : path
  const names = await finder.names(below)
  if (names.some(name => name === 'memory' || name.endsWith('.jsonl'))) return [projectAt(below, finder)]
  const projects: ProjectDirectory[] = []
  for (const name of names)
    if (await finder.isDirectory(join(below, name))) projects.push(projectAt(join(below, name), finder))
  return projects
}

function projectAt(path: string, finder: Finder): ProjectDirectory {
  const name = basename(path)
  let found: Promise<string> | undefined
  return {
    path,
    name,
    directory: () => {
      found ??= directoryOf(path, name, finder)
      return found
    },
  }
}

/** Where the transcripts were written; else the directory of that name on this machine; else a guess. */
async function directoryOf(path: string, name: string, finder: Finder): Promise<string> {
  let other: string | undefined
  for (const file of (await finder.names(path)).filter(isTranscript)) {
    const stamp = await finder.stampOf(join(path, file))
    const directory = stamp && (await directoryIn(join(path, file), stamp))
    // A session may have gone on elsewhere than it began.
    if (directory !== undefined && encodedPath(directory) === name) return directory
    other ??= directory
  }
  return other ?? (await decodedPath(name)) ?? likelyPath(name)
}

async function directoryIn(path: string, stamp: Stamp): Promise<string | undefined> {
  // What cannot be read is told when it is read for its messages.
  return findInHead(path, stamp, line => textIn(line, 'cwd')).catch(() => undefined)
}

function isTranscript(name: string): boolean {
  return name.endsWith('.jsonl') && !name.startsWith('agent-')
}

async function sessionsIn(project: ProjectDirectory, finder: Finder): Promise<SourceSession[]> {
  const sessions: SourceSession[] = []
  for (const name of await finder.names(project.path)) {
    const path = join(project.path, name)
    if (isTranscript(name)) {
      const stamp = await finder.stampOf(path)
      if (stamp) sessions.push(toSession(path, stamp, project.directory))
    } else if (name.endsWith('.jsonl')) {
      finder.leaveOut(SUB_AGENTS)
    } else if (name !== 'memory') {
      const below = await finder.names(join(path, 'subagents'))
      finder.leaveOut(SUB_AGENTS, below.filter(file => file.endsWith('.jsonl')).length)
    }
  }
  return sessions
}

function toSession(path: string, stamp: Stamp, directory: SourceSession['directory']): SourceSession {
  const at = new Date(stamp.mtimeMs).toISOString()
  const id = basename(path, '.jsonl')
  return {
    id,
    // A session that is taken up in another directory goes on in a file there.
    part: `${basename(dirname(path))}/${id}`,
    file: path,
    stamp,
    directory,
    read: () => readTranscript(path, stamp, new ClaudeCodeTranscript(at)),
  }
}

async function memoriesIn(project: ProjectDirectory, root: string, finder: Finder): Promise<SourceMemory[]> {
  const memories: SourceMemory[] = []
  for (const name of await finder.names(join(project.path, 'memory'))) {
    const path = join(project.path, 'memory', name)
    if (!/\.md$/i.test(name)) {
      if (!name.startsWith('.') && (await finder.isDirectory(path))) finder.leaveOut(SUB_DIRECTORIES)
      continue
    }
    // The index only says what the memories say.
    if (name.startsWith('.') || name.toLowerCase() === INDEX_FILE) continue
    const found = await finder.textOf(path, root)
    if (!found) continue
    const read = readMemoryFile(name, found.text)
    if ('problem' in read) finder.unreadable.push({ file: path, reason: read.problem })
    else
      memories.push({
        id: `${project.name}/memory/${name}`,
        file: path,
        text: found.text,
        at: read.at ?? found.at,
        draft: read.draft,
        directory: project.directory,
      })
  }
  return memories
}
