import type { ListedSession, SessionHit } from '../../session/index.ts'
import { printable } from './printable.ts'
import { styled } from './styled.ts'
import { table } from './table.ts'

/** How sessions are shown to a person. */
export function printSessions(
  sessions: readonly ListedSession[],
  { all, elsewhere, columns }: { all: boolean; elsewhere: number; columns?: number },
): string {
  if (sessions.length === 0)
    return elsewhere > 0
      ? `No session of this project yet; there are ${elsewhere} of others: reverie sessions list --all`
      : 'There are no sessions yet.'
  const rows = sessions.map(({ id, lastAt, bytes, usd, source, project, slug, title, problem }) => [
    printable(id),
    printable(localTime(lastAt)),
    size(bytes),
    usd ? `$${usd.toFixed(usd < 0.1 ? 4 : 2)}` : '',
    ...(all ? [printable(project ?? slug)] : []),
    printable(source ?? ''),
    // A title of several lines would look like several sessions.
    printable(problem ?? (title || '(untitled)')).replaceAll(/\s+/g, ' '),
  ])
  return table([['ID', 'LAST', 'SIZE', 'COST', ...(all ? ['PROJECT'] : []), '', 'TITLE'], ...rows], columns)
}

export function printFound(hits: readonly SessionHit[]): string {
  if (hits.length === 0) return 'Nothing of that was said.'
  const sessions = [...new Set(hits.map(({ session }) => session))]
  return sessions
    .map(session => {
      const here = hits.filter(hit => hit.session === session)
      const title = printable(here[0]?.title || '(untitled)')
      const lines = here.map(
        ({ at, role, snippet }) =>
          `  ${styled('dim', printable(`${localTime(at)} ${role}`))}  ${printable(snippet)}`,
      )
      return [`${styled('bold', title)}  ${styled('dim', printable(session))}`, ...lines].join('\n')
    })
    .join('\n\n')
}

function localTime(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB']
  let [value, at] = [bytes / 1024, 0]
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024
    at++
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[at]}`
}
