import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRIVATE_FILE, ReverieError } from '../store/index.ts'

class EditorFailed extends ReverieError {}

/**
 * Lets a person edit a text in the editor of their choice and gives it to `keep`. What was typed is thrown away
 * only when it has been kept; otherwise the error says where it is.
 */
export async function editInEditor(
  text: string,
  name: string,
  env: NodeJS.ProcessEnv,
  keep: (edited: string) => Promise<void>,
): Promise<void> {
  const editor = env.VISUAL || env.EDITOR
  if (!editor)
    throw new EditorFailed('No editor is set: export EDITOR=…, or give --description, --body and the like.')
  const directory = await mkdtemp(join(tmpdir(), 'reverie-edit-'))
  const file = join(directory, name)
  await writeFile(file, text, { mode: PRIVATE_FILE })
  // The variable may hold arguments (`code --wait`), so a shell reads it; the file is an argument of its own.
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env })
  const edited = await readFile(file, 'utf8')
  try {
    if (error || status !== 0) throw new EditorFailed(`The editor (${editor}) ended with an error.`)
    await keep(edited)
  } catch (cause) {
    if (edited === text || !(cause instanceof ReverieError)) throw cause
    throw new EditorFailed(`${cause.message} What you wrote is in ${file}.`, { cause })
  }
  await rm(directory, { recursive: true, force: true })
}
