import { join } from 'node:path'
import { type Home, hookFile, prepareHome } from '../../config/index.ts'
import {
  contentHash,
  PRIVATE_FILE,
  ReverieError,
  readSmallFile,
  withLock,
  writeFileAtomic,
} from '../../store/index.ts'
import type { Hook } from './hook.ts'

/** A project's own hooks, and whether the owner has agreed to just these. */
export interface ProjectHooks {
  file: string
  hooks: Hook[]
  trusted: boolean
}

class UnreadableHooks extends ReverieError {}

/**
 * What a project wants to run. A repository that somebody downloaded runs nothing by itself: its hooks count only
 * when the owner has seen and trusted them, and count no longer when they change.
 */
export async function projectHooks(home: Home, root: string): Promise<ProjectHooks | undefined> {
  const file = join(root, '.reverie', 'hooks.json')
  const text = readSmallFile(file)
  if (text === undefined) return undefined
  const { parseHooks } = await hookFile()
  const parsed = parseHooks(text)
  if ('problem' in parsed) throw new UnreadableHooks(`${file} cannot be used: ${parsed.problem}`)
  return { file, hooks: parsed.hooks, trusted: readTrust(home)[root] === contentHash(text) }
}

/** Trusts a project's hooks as they are now, or none of its. */
export async function trustHooks(home: Home, root: string, trusted: boolean): Promise<void> {
  const text = readSmallFile(join(root, '.reverie', 'hooks.json'))
  if (trusted && text === undefined) throw new UnreadableHooks(`${root} has no hooks (.reverie/hooks.json).`)
  await prepareHome(home)
  await withLock(join(home.cache, 'trust-lock'), async () => {
    const { [root]: _, ...others } = readTrust(home)
    const next = trusted && text !== undefined ? { ...others, [root]: contentHash(text) } : others
    await writeFileAtomic(trustPath(home), `${JSON.stringify(next, null, 2)}\n`, { mode: PRIVATE_FILE })
  })
}

function trustPath(home: Home): string {
  return join(home.path, 'trusted-hooks.json')
}

/** By project; what cannot be read trusts nobody. */
function readTrust(home: Home): Record<string, string> {
  try {
    const found: unknown = JSON.parse(readSmallFile(trustPath(home)) ?? '{}')
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
