/** What happened on a day, line by line: `logs/YYYY/MM/YYYY-MM-DD.md`. Only ever appended to; dreams distil it. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureDirectory, isInside, PRIVATE_FILE, ReverieError, syncDirectory } from '../store/index.ts'

/** In the owner's time zone. A prompt names this and never a day, which would change it every night. */
export const DAILY_LOG = 'logs/YYYY/MM/YYYY-MM-DD.md'

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
const APPEND_NO_LINK = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW

/** On the disk when this returns. */
export async function appendToDailyLog(directory: string, text: string, now: Date): Promise<string> {
  const [day = '', time = ''] = now.toLocaleString('sv').split(' ')
  const [year = '', month = ''] = day.split('-')
  const path = join(directory, 'logs', year, month, `${day}.md`)
  await ensureDirectory(dirname(path))
  if (!isInside(await realpath(directory), await realpath(dirname(path))))
    throw new ReverieError(`${dirname(path)} leads out of the memory directory; nothing is written there.`)
  // A link in place of the file is not followed.
  await using file = await open(path, APPEND_NO_LINK, PRIVATE_FILE)
  const { size } = await file.stat()
  const line = `- ${time.slice(0, 'HH:MM'.length)} ${text.trim().replaceAll(/\s*\n\s*/g, '\n  ')}\n`
  await file.appendFile(size === 0 ? `# ${day}\n\n${line}` : line)
  await file.sync()
  if (size === 0) await syncDirectory(dirname(path))
  return path
}
