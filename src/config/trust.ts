import { join } from 'node:path'
import { contentHash, PRIVATE_FILE, readSmallFile, withLock, writeFileAtomic } from '../store/index.ts'
import { type Home, prepareHome } from './home.ts'

/** What a project may want to start: nothing of it runs before the owner has seen it. */
export type TrustKind = 'hooks' | 'servers'

/**
 * Whether the owner has agreed to just this text. A repository that somebody downloaded starts nothing by itself: what
 * it wants to start counts only when the owner has seen and trusted it, and counts no longer when it changes.
 */
export function isTrusted(home: Home, kind: TrustKind, root: string, text: string): boolean {
  return readTrust(home, kind)[root] === contentHash(text)
}

/** Trusts a project's text as it is now, or with `undefined` none of its. */
export async function setTrust(
  home: Home,
  kind: TrustKind,
  root: string,
  text: string | undefined,
): Promise<void> {
  await prepareHome(home)
  await withLock(join(home.cache, 'trust-lock'), async () => {
    const { [root]: _, ...others } = readTrust(home, kind)
    const next = text === undefined ? others : { ...others, [root]: contentHash(text) }
    await writeFileAtomic(trustPath(home, kind), `${JSON.stringify(next, null, 2)}\n`, { mode: PRIVATE_FILE })
  })
}

function trustPath(home: Home, kind: TrustKind): string {
  return join(home.path, `trusted-${kind}.json`)
}

/** By project; what cannot be read trusts nobody. */
function readTrust(home: Home, kind: TrustKind): Record<string, string> {
  try {
    const found: unknown = JSON.parse(readSmallFile(trustPath(home, kind)) ?? '{}')
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
