import { ENTRY_ID } from '../memory/index.ts'
import type { DreamReport, ProposedChange } from './dreamer.ts'
import { openIn } from './open-findings.ts'

/** What was learnt and what was let go, for a person to read. */
export function diaryEntry({
  at,
  report,
  changes,
  dreamer,
}: {
  at: Date
  report: DreamReport
  changes: readonly ProposedChange[]
  dreamer: string
}): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map(line => `- ${line}`), '']
  const changed = changes.map(({ file, action, reason }) => `${action} ${file}: ${reason}`)
  return [
    `# ${at.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)}`,
    '',
    `Dreamt by ${dreamer}.${changes.length === 0 ? '' : ` Undo: \`reverie dream restore ${ENTRY_ID}\``}`,
    '',
    ...list('Learnt', report.learnt),
    ...list('Let go', report.letGo),
    ...list('Changed', changed),
    ...list('For you to decide', openIn(report)),
    ...(changes.length === 0 ? ['All was in order; nothing was changed.', ''] : []),
  ].join('\n')
}
