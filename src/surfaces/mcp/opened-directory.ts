import { statSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'

/** What is open in an editor that starts its servers in the owner's home, and says so in a variable (Cursor). */
export function openedDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const { WORKSPACE_FOLDER_PATHS: text = '' } = env
  return pathsIn(text).find(
    path => isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  )
}

/** One path, a list of JSON, or several with something between them. */
function pathsIn(text: string): string[] {
  try {
    const listed: unknown = JSON.parse(text)
    if (Array.isArray(listed)) return listed.filter(path => typeof path === 'string')
  } catch {
    // it is no list
  }
  return [text, ...text.split(','), ...text.split(delimiter)].map(path => path.trim())
}
