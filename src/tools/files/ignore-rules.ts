/** Which files git would not look at. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** More than this is not a list that somebody wrote. */
const LARGEST_LIST = 1024 * 1024

/** The rules of one directory; those of the directories above it apply where these say nothing. */
export interface IgnoreRules {
  directory: string
  rules: Ignore
  above: IgnoreRules | undefined
}

/** The rules that hold for `directory` itself: from the top of its repository down to the directory above it. */
export async function rulesAbove(directory: string): Promise<IgnoreRules | undefined> {
  const top = repositoryOf(directory)
  if (top === undefined) return undefined
  let rules = await withExcludes(top)
  const way = relative(top, directory).split(sep).filter(Boolean)
  for (const [depth] of way.entries()) rules = await withRulesOf(join(top, ...way.slice(0, depth)), rules)
  return rules
}

export async function withRulesOf(
  directory: string,
  above: IgnoreRules | undefined,
): Promise<IgnoreRules | undefined> {
  return withList(join(directory, '.gitignore'), directory, above)
}

function withExcludes(top: string): Promise<IgnoreRules | undefined> {
  return withList(join(top, '.git', 'info', 'exclude'), top, undefined)
}

async function withList(
  file: string,
  directory: string,
  above: IgnoreRules | undefined,
): Promise<IgnoreRules | undefined> {
  const list = await readFile(file, 'utf8').catch(() => undefined)
  if (list === undefined || list.length > LARGEST_LIST) return above
  return { directory, rules: ignore({ allowRelativePaths: false, ignorecase: false }).add(list), above }
}

/** The innermost directory that says anything about a path decides. */
export function isIgnored(path: string, isDirectory: boolean, rules: IgnoreRules | undefined): boolean {
  for (let each = rules; each; each = each.above) {
    const way = relative(each.directory, path).split(sep).join('/') + (isDirectory ? '/' : '')
    if (!ignore.isPathValid(way)) continue
    const { ignored, unignored } = each.rules.test(way)
    if (ignored || unignored) return ignored
  }
  return false
}

function repositoryOf(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}
