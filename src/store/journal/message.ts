/** What a commit message carries besides its sentence. Pure: text in, values out, and back. */
export interface EntryNote {
  message: string
  /** What made the entry: `save`, `forget`, `dream`, `found`… */
  kind: string
  /** The changed paths, unless there were too many to list. */
  paths?: string[]
  /** Ids that this entry had before a purge rewrote history. */
  formerly?: string[]
}

/** More changed paths than this are found by comparing trees instead. */
const PATHS_LISTED = 100

export function writeNote(note: EntryNote): string {
  const listed = note.paths && note.paths.length <= PATHS_LISTED ? note.paths : []
  const lines = [
    `Kind: ${note.kind}`,
    ...listed.map(path => `Changed: ${JSON.stringify(path)}`),
    ...(note.formerly ?? []).map(id => `Formerly: ${id}`),
  ]
  // Git drops leading empty lines, and ours would then be taken for the message.
  return `${note.message.trim() || note.kind}\n\n${lines.join('\n')}\n`
}

export function readNote(text: string): EntryNote {
  const trimmed = text.trimEnd()
  const split = trimmed.lastIndexOf('\n\n')
  const lines = split < 0 ? [] : trimmed.slice(split + 2).split('\n')
  const values = (key: string) =>
    lines.filter(line => line.startsWith(`${key}: `)).map(line => line.slice(key.length + 2))
  const [kind] = values('Kind')
  if (kind === undefined) return { message: trimmed, kind: 'foreign' }
  const paths = values('Changed').flatMap(parsePath)
  const formerly = values('Formerly')
  return {
    message: trimmed.slice(0, split),
    kind,
    ...(paths.length > 0 && { paths }),
    ...(formerly.length > 0 && { formerly }),
  }
}

function parsePath(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? [value] : []
  } catch {
    return []
  }
}
