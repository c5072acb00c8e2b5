import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRIVATE_FILE, ReverieError } from '../store/index.ts'

class EditorFailed extends ReverieError {}

/** Lets a person edit a text in the editor of their choice; returns it as they left it. */
export async function editInEditor(text: string, name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const editor = env.VISUAL || env.EDITOR
  if (!editor)
    throw new EditorFailed('No editor is set: export EDITOR=…, or give --description, --body and the like.')
  const directory = await mkdtemp(join(tmpdir(), 'reverie-edit-'))
  try {
    const file = join(directory, name)
    await writeFile(file, text, { mode: PRIVATE_FILE })
    // The variable may hold arguments (`code --wait`), so a shell reads it; the file is an argument of its own.
    const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env })
    if (error || status !== 0)
      throw new EditorFailed(`The editor (${editor}) ended with an error. Nothing was changed.`)
    return await readFile(file, 'utf8')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
