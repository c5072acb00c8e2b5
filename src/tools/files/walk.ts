/** The files below a directory, without those that nobody means. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type IgnoreRules, isIgnored, rulesAbove, withRulesOf } from './ignore-rules.ts'

/** Passed over unless they are asked for by name. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules'])

export interface WalkOptions {
  signal: AbortSignal
  /** Names that were asked for: they are walked into whatever the rules say. */
  named?: ReadonlySet<string>
}

export interface Found {
  path: string
  /** A symbolic link, which may lead anywhere. */
  link: boolean
}

/** In the order of their paths, part by part. Links to directories are not followed; what cannot be read is passed over. */
export async function* walk(
  directory: string,
  { signal, named = new Set() }: WalkOptions,
): AsyncGenerator<Found> {
  const rules = await rulesAt(directory)
  yield* below(directory, rules)

  async function* below(at: string, rules: IgnoreRules | undefined): AsyncGenerator<Found> {
    signal.throwIfAborted()
    for (const entry of await entriesOf(at)) {
      const path = join(at, entry.name)
      const isDirectory = entry.isDirectory()
      const wanted = named.has(entry.name)
      if (!wanted && (PASSED_OVER.has(entry.name) || isIgnored(path, isDirectory, rules))) continue
      if (isDirectory) yield* below(path, await withRulesOf(path, wanted ? freshRules(path, rules) : rules))
      else if (entry.isFile() || entry.isSymbolicLink()) yield { path, link: entry.isSymbolicLink() }
    }
  }
}

/** Rules that would leave out the very directory that was asked for do not hold in it. */
async function rulesAt(directory: string): Promise<IgnoreRules | undefined> {
  return withRulesOf(directory, freshRules(directory, await rulesAbove(directory)))
}

function freshRules(directory: string, rules: IgnoreRules | undefined): IgnoreRules | undefined {
  for (let at = directory; at !== dirname(at); at = dirname(at))
    if (PASSED_OVER.has(basename(at)) || isIgnored(at, true, rules)) return undefined
  return rules
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
