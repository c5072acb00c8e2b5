/** Claude Code names a project's directory after its path, with everything but letters and digits made a dash. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export function encodedPath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, '-')
}

export type ListDirectories = (path: string) => Promise<string[]>

/** Many directories begin alike; the search ends somewhere. */
const MOST_LISTINGS = 2_000

/**
 * The directory on this machine that a name stands for: `-home-me-my-app` may be `/home/me/my-app` or
 * `/home/me/my/app`. Undefined when there is none, or more than one.
 */
export async function decodedPath(
  encoded: string,
  list: ListDirectories = directoriesIn,
): Promise<string | undefined> {
  if (!encoded.startsWith('-')) return undefined
  const found: string[] = []
  const waiting: Array<{ path: string; rest: string }> = [{ path: '/', rest: encoded.slice(1) }]
  for (let listings = 0; waiting.length > 0 && found.length < 2; listings++) {
    if (listings === MOST_LISTINGS) return undefined
    const { path, rest } = waiting.pop() as { path: string; rest: string }
    for (const name of await list(path)) {
      const start = encodedPath(name)
      if (rest === start) found.push(join(path, name))
      else if (rest.startsWith(`${start}-`))
        waiting.push({ path: join(path, name), rest: rest.slice(start.length + 1) })
    }
  }
  return found.length === 1 ? found[0] : undefined
}

async function directoriesIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter(entry => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name)
  } catch {
    return [] // not a directory, or not ours to look into
  }
}

/** What a name that stands for no directory here may have stood for elsewhere. */
export function likelyPath(encoded: string): string {
  return encoded.startsWith('-') ? encoded.replaceAll('-', '/') : `/${encoded}`
}
