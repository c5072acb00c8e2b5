import type {
  Changed,
  Diagnosis,
  FullMemory,
  ListedMemory,
  Recalled,
  Saved,
  Undone,
} from '../../memory/index.ts'
import { printable } from './printable.ts'
import { styled } from './styled.ts'
import { table } from './table.ts'

/** How memories are shown to a person. */
export function printList(memories: readonly ListedMemory[], columns?: number): string {
  if (memories.length === 0) return 'Nothing is remembered yet. `reverie help memory` shows how to begin.'
  const rows = memories.map(({ file, type, scope, ageDays, pinned, description }) => [
    file,
    scope,
    type,
    days(ageDays),
    pinned ? 'pinned' : '',
    description,
  ])
  return table([['FILE', 'SCOPE', 'TYPE', 'AGE', '', 'DESCRIPTION'], ...rows], columns)
}

function days(ageDays: number): string {
  return ageDays === 0 ? 'today' : ageDays === 1 ? '1 day' : `${ageDays} days`
}

export function printFull({ text, note, scope, origin }: FullMemory): string {
  return `${printable(text.trimEnd())}\n\n${styled('dim', `${note} · scope ${scope} · from ${origin}`)}`
}

export function printRecalled(memories: readonly Recalled[]): string {
  if (memories.length === 0) return 'Nothing that is remembered clearly answers this.'
  return memories
    .map(
      ({ name, file, type, note, snippet, origin }) =>
        `${styled('bold', name)}  ${styled('dim', `${file} · ${type}${origin === 'owner' ? '' : ` · from ${origin}`} · ${note}`)}\n  ${printable(snippet)}`,
    )
    .join('\n\n')
}

export function printSaved(saved: Saved): string {
  const what = saved.created ? 'Remembered' : saved.unchanged ? 'Confirmed' : 'Updated'
  return lines([
    `${what} ${saved.file} (${saved.scope})${undoHint(saved)}`,
    ...saved.dates.map(({ from, to }) => `  "${from}" was saved as ${to}`),
    saved.index.demoted > 0 &&
      `  The index is full (${saved.index.lines} lines): ${saved.index.demoted} of the least useful memories have no line in it. They are recalled all the same.`,
    ...saved.index.dropped.map(
      line => `  The index named a file that does not exist; this line went: ${printable(line.trim())}`,
    ),
    ...saved.warnings.map(warning),
  ])
}

export function printChange(what: string, changed: Changed): string {
  return lines([
    `${what} ${changed.file} (${changed.scope})${undoHint(changed)}`,
    ...changed.warnings.map(warning),
  ])
}

function undoHint({ entry }: { entry: string | undefined }): string {
  return entry ? styled('dim', ` · undo: reverie memory undo ${entry}`) : ''
}

export function printUndone({ id, message, files, conflicts, warnings }: Undone): string {
  return lines([
    files.length > 0
      ? `Undid ${id} (${printable(message)}): ${files.join(', ')}`
      : conflicts.length > 0
        ? `Could not undo ${id} (${printable(message)}).`
        : `${id} (${printable(message)}) is undone already.`,
    ...conflicts.map(
      file =>
        `  ${file} was changed since, on the same lines, and stays as it is; \`reverie memory history ${file}\` shows what else could be undone.`,
    ),
    ...warnings.map(warning),
  ])
}

export function printHistory(
  entries: ReadonlyArray<{ id: string; at: Date; by: string; message: string; diff?: string }>,
): string {
  if (entries.length === 0) return 'The journal knows nothing of it.'
  const line = (entry: (typeof entries)[number]) => [
    entry.id,
    entry.at.toLocaleString('sv'),
    entry.by,
    printable(entry.message),
  ]
  if (entries.every(({ diff }) => diff === undefined)) return table(entries.map(line))
  return entries
    .map(entry => `${styled('bold', line(entry).join('  '))}\n${printable(entry.diff ?? '')}`)
    .join('\n')
}

export function printDiagnosis({ ok, problems, fixed, warnings }: Diagnosis): string {
  return lines([
    ...fixed.map(({ detail }) => `${styled('green', '✓')} mended: ${printable(detail)}`),
    ...problems.map(
      ({ kind, file, scope, detail }) =>
        `${styled('red', '✗')} ${kind}  ${printable(file)} (${scope}): ${printable(detail)}`,
    ),
    ...warnings.map(warning),
    ok && 'All is well: the index and the files agree.',
  ])
}

function warning(text: string): string {
  return `${styled('yellow', '!')} ${text}`
}

function lines(parts: ReadonlyArray<string | false>): string {
  return parts.filter(part => part !== false).join('\n')
}
