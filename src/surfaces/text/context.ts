import type { ContextReport } from '../../agent/index.ts'
import { table } from './table.ts'

/** Every part of what the model is sent, with its size. */
export function contextText(report: ContextReport, columns?: number): string {
  const { model, window, compactAt, tokens, sections, tools, summary, messages, changed, cached } = report
  const rows = [
    ...sections.map(({ name, side, tokens, changed }) => [
      name,
      String(tokens),
      notes(side === 'project' && 'of this project', changed && CHANGED),
    ]),
    ['tools', String(tools), notes(changed.tools && CHANGED)],
    ...(summary > 0
      ? [['summary of what was said before', String(summary), notes(changed.summary && CHANGED)]]
      : []),
    ['messages', String(messages.tokens), `${messages.count} of them`],
  ]
  const share = Math.round((100 * tokens) / window)
  const served =
    cached === undefined ? '' : `\n${Math.round(100 * cached)} % of the last request came from the cache.`
  return `${table([['PART', 'TOKENS', ''], ...rows], columns)}\n\nAbout ${tokens} tokens of ${window} (${share} %) for ${model}; shortened beyond ${compactAt}.${served}`
}

const CHANGED = 'changed since the last turn'

function notes(...said: ReadonlyArray<string | false>): string {
  return said.filter(note => note !== false).join(', ')
}
