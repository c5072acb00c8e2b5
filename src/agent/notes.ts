/** Running notes of one session (`ID.notes.md`): with them the conversation is made shorter without asking a model. */
import { readIfThere, writeFileAtomic } from '../store/index.ts'

export interface Notes {
  text: string
  /** The last message that they know of. */
  covers: string
}

const COVERS = /^<!-- covers (\S+) -->\n/

export function notesPath(transcriptPath: string): string {
  return transcriptPath.replace(/\.jsonl$/, '.notes.md')
}

export async function readNotes(path: string): Promise<Notes | undefined> {
  const text = (await readIfThere(path))?.toString('utf8') ?? ''
  const covers = COVERS.exec(text)?.[1]
  return covers === undefined ? undefined : { covers, text: text.replace(COVERS, '').trim() }
}

export function writeNotes(path: string, { text, covers }: Notes): Promise<void> {
  return writeFileAtomic(path, `<!-- covers ${covers} -->\n${text}\n`)
}
