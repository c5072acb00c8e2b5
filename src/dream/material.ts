/** Orient and gather: what a dream reads. Narrow searches of sessions, never a whole file. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home, Project } from '../config/index.ts'
import { INDEX_FILE, isRefused, type Memory, type Refusals, type Snapshot } from '../memory/index.ts'
import type { History, SessionIndex } from '../session/index.ts'
import { Skills } from '../skills/index.ts'
import { readSmallFile } from '../store/index.ts'
import type { DreamMaterial, GatheredTurn, GatherReason } from './dreamer.ts'
import { readOwnFiles } from './own-files.ts'

/** History entries of one dream at most (3-dream.md). */
const HISTORY_A_DREAM = 20
const TURNS_EACH = 20
const LONGEST_TURN = 4_000
const MOST_LOGS = 14
/** Characters of a memory that a dream looks at. */
const LARGEST = 100_000

/** What is worth most, first: the words by which it is found, in English and Chinese. */
const SEARCHES: ReadonlyArray<readonly [GatherReason, string]> = [
  ['correction', "no actually wrong not instead don't stop 不对 不是 其实 别"],
  ['remember', "remember don't forget keep in mind note 记住 别忘"],
  ['preference', 'prefer like always never favourite rather 喜欢 偏好 总是 从不'],
  ['decision', 'decided decide because reason agreed going with 决定 因为'],
  ['reference', 'dashboard link board ticket wiki document located https 链接 文档'],
  ['failure', 'again still fails failed error broken 又 还是 失败'],
]

export interface GatherOptions {
  home: Home
  project: Project
  memory: Memory
  history: History
  sessions: SessionIndex
  refusals: Refusals
  since: Date | undefined
  now: Date
  maxRemovals?: number | undefined
  acceptsSkills: boolean
  signal: AbortSignal
}

export async function gatherMaterial(
  options: GatherOptions,
): Promise<{ material: DreamMaterial; snapshot: Snapshot }> {
  const { home, project, memory, history, refusals, now, maxRemovals } = options
  const snapshot = await memory.snapshot('project')
  // The owner's, in the home: what lies in a repository was written by whoever wrote the repository.
  const guidance = readSmallFile(join(home.projects, project.slug, 'dream.md'))
  const own = readOwnFiles(options.home)
  const texts = new Map([...snapshot.memories, ...own].map(({ file, text }) => [file, text]))
  texts.set(INDEX_FILE, snapshot.index)
  const material: DreamMaterial = {
    now,
    memories: snapshot.memories.filter(({ text }) => text.length <= LARGEST).map(memoryOf),
    index: snapshot.index,
    // What is as long as a book is no memory to compare: it is left as it is.
    others: [
      ...snapshot.others,
      ...snapshot.memories.filter(({ text }) => text.length > LARGEST).map(fileOf),
    ],
    own,
    history: await history.waiting(HISTORY_A_DREAM),
    logs: await logsIn(memory.place('project'), options.since),
    turns: await turnsIn(options),
    skills: new Skills({ home, project, directory: project.root, env: {}, disabled: [] })
      .find()
      .skills.map(({ name, description }) => ({ name, description })),
    acceptsSkills: options.acceptsSkills,
    instructions: await memory.instructions(),
    ...(guidance !== undefined && { guidance }),
    ...(maxRemovals !== undefined && { maxRemovals }),
    isRefused: ({ file, text }) =>
      isRefused(refusals, { file, before: texts.get(file) ?? null, after: text }),
  }
  return { material, snapshot }
}

function fileOf({ file }: { file: string }): string {
  return file
}

function memoryOf({ created, ...memory }: Snapshot['memories'][number]): DreamMaterial['memories'][number] {
  const at = created === undefined ? undefined : new Date(created)
  return { ...memory, ...(at && !Number.isNaN(at.getTime()) && { created: at }) }
}

async function turnsIn({ project, since, sessions, signal }: GatherOptions): Promise<GatheredTurn[]> {
  await sessions.refresh({ signal })
  const turns = new Map<string, GatheredTurn>()
  for (const [reason, query] of SEARCHES) {
    signal.throwIfAborted()
    const found = await sessions.turns(query, {
      role: 'user',
      project: project.slug,
      onRecord: true,
      limit: TURNS_EACH,
      ...(since && { since }),
    })
    for (const { session, at, origin, text } of found) {
      const key = `${session}\0${at}\0${text}`
      if (!turns.has(key))
        turns.set(key, { session, at, role: 'user', origin, text: text.slice(0, LONGEST_TURN), reason })
    }
  }
  return [...turns.values()]
}

/** Daily logs since the last dream: `logs/YYYY/MM/YYYY-MM-DD.md`. */
async function logsIn(directory: string, since: Date | undefined): Promise<{ path: string; text: string }[]> {
  const root = join(directory, 'logs')
  const entries = await readdir(root, { recursive: true }).catch((): string[] => [])
  const from = since?.toISOString().slice(0, 'YYYY-MM-DD'.length) ?? ''
  const days = entries.filter(
    path => /(?:^|[\\/])\d{4}-\d{2}-\d{2}\.md$/.test(path) && path.slice(-13, -3) >= from,
  )
  return days
    .toSorted()
    .slice(-MOST_LOGS)
    .flatMap(path => {
      const text = readSmallFile(join(root, path))
      return text === undefined ? [] : [{ path: `logs/${path}`, text }]
    })
}
