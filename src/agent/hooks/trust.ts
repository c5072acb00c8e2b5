import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, hookFile, isTrusted, setTrust } from '../../config/index.ts'
import { contentHash, ReverieError, readSmallFile } from '../../store/index.ts'
import type { Hook } from './hook.ts'
import { filesOfHooks } from './hook-files.ts'

/** A project's own hooks, and whether the owner has agreed to just these. */
export interface ProjectHooks {
  file: string
  hooks: Hook[]
  trusted: boolean
}

class UnreadableHooks extends ReverieError {}

/** What a project wants to run. */
export async function projectHooks(home: Home, root: string): Promise<ProjectHooks | undefined> {
  const file = join(root, '.reverie', 'hooks.json')
  const text = readSmallFile(file)
  if (text === undefined) return undefined
  const hooks = await hooksIn(file, text)
  return { file, hooks, trusted: isTrusted(home, 'hooks', root, agreedTo(text, hooks, root)) }
}

/** Trusts a project's hooks as they are now, or none of its. */
export async function trustHooks(home: Home, root: string, trusted: boolean): Promise<void> {
  const file = join(root, '.reverie', 'hooks.json')
  const text = readSmallFile(file)
  if (trusted && text === undefined) throw new UnreadableHooks(`${root} has no hooks (.reverie/hooks.json).`)
  const agreed = trusted && text !== undefined ? agreedTo(text, await hooksIn(file, text), root) : undefined
  await setTrust(home, 'hooks', root, agreed)
}

async function hooksIn(file: string, text: string): Promise<Hook[]> {
  const { parseHooks } = await hookFile()
  const parsed = parseHooks(text)
  if ('problem' in parsed) throw new UnreadableHooks(`${file} cannot be used: ${parsed.problem}`)
  return parsed.hooks
}

/** The hooks, and what of the project they run: who changes a script that they name changes what was agreed to. */
function agreedTo(text: string, hooks: readonly Hook[], root: string): string {
  const files = filesOfHooks(hooks, root).map(path => `\0${path}\0${contentHash(readFileSync(path))}`)
  return text + files.join('')
}
