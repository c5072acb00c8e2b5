import { titleFrom } from '../../../session/index.ts'
import { MessageIds } from '../ids.ts'
import { field, fieldsIn, timeOf } from '../json.ts'
import type { SourceSession, Stamp, Told } from '../source.ts'
import { convertMessage, isComplete, type StoredMessage } from './message.ts'

/** A session as it is stored, in files or in a database. */
export interface StoredSession {
  id: string
  file: string
  title: string
  directory: string | undefined
  stamp: Stamp
  /** In order; a part that cannot be read is told as a problem. */
  messages(): AsyncIterable<StoredMessage & { problems: string[] }>
}

/** A message that is being written is left for the next import, unless nobody has touched it for this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

export function toSession(stored: StoredSession, now: () => Date): SourceSession {
  const { id, file, stamp, directory } = stored
  return {
    id,
    file,
    stamp,
    directory: () => Promise.resolve(directory),
    read: () => readSession(stored, now().getTime()),
  }
}

async function* readSession({ messages, title, stamp }: StoredSession, now: number): AsyncGenerator<Told> {
  const ids = new MessageIds()
  let at = new Date(stamp.mtimeMs).toISOString()
  let previous: (StoredMessage & { problems: string[] }) | undefined
  const convert = function* ({ problems, ...message }: StoredMessage & { problems: string[] }) {
    for (const problem of problems) yield { problem }
    at = timeOf(field(fieldsIn(message.info, 'time'), 'created')) ?? at
    yield* convertMessage({ ...message, id: ids.of(message.id, message.info) }, at)
  }
  for await (const message of messages()) {
    if (previous) yield* convert(previous)
    previous = message
  }
  if (previous) {
    const created = timeOf(field(fieldsIn(previous.info, 'time'), 'created'))
    const isAbandoned = created === undefined || now - Date.parse(created) > ABANDONED_AFTER_MS
    if (isAbandoned || (isComplete(previous.info) && previous.problems.length === 0)) yield* convert(previous)
    else yield { unfinished: `message ${previous.id} is still being written`, bytes: stamp.bytes - 1 }
  }
  const name = titleFrom(title)
  // Until it has a better one, OpenCode calls a session by the time that it began.
  if (name !== '' && !name.startsWith('New session - ')) yield { title: name }
}
