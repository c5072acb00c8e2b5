import { realpath } from 'node:fs/promises'
import { isInside } from '../../store/index.ts'
import type { Workspace } from '../workspace.ts'

/** Where the next command runs: where this one ended, unless that is outside the project. */
export function nextDirectory(
  { root, directory }: Pick<Workspace, 'root' | 'directory'>,
  told: string | undefined,
): { directory: string; notes: string[] } {
  if (told === undefined || told === directory) return { directory, notes: [] }
  if (isInside(root, told)) return { directory: told, notes: [`Working directory: ${told}`] }
  return {
    directory: root,
    notes: [`${told} is outside the project: the working directory is ${root} again`],
  }
}

/** The working directory may have been removed or replaced since the last command; returns what is to be said of it. */
export async function backIntoWorkspace(workspace: Workspace): Promise<string[]> {
  const { root, directory } = workspace
  const real = await realpath(directory).catch(() => undefined)
  if (real !== undefined && isInside(root, real)) return []
  workspace.directory = root
  return [`${directory} is no longer there: the working directory is ${root} again`]
}
