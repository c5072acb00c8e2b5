/** Calls of tools and what came of them, for a person. */
import type { ToolOutcome } from '../../session/index.ts'
import { fitTo } from '../text/width.ts'
import { DIM, type Line, line, span } from './style.ts'
import { wrap } from './wrap.ts'

const PROBLEM_LINES = 4
/** Of what is asked about, so that nobody allows what was not seen; more is said by its size. */
const ASKED_LINES = 200

/** The whole of a call, as it is asked about. */
export function callLines(tool: string, input: unknown, width: number): Line[] {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const rows = fields.flatMap(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const [first = '', ...more] = text.split('\n')
    const isAlone = fields.length === 1 && more.length === 0
    if (more.length === 0) return wrap([...(isAlone ? [] : [span(`${key}: `, DIM)]), span(first)], width - 2)
    return [line(`${key}:`, DIM), ...[first, ...more].flatMap(row => wrap(line(`  ${row}`), width - 2))]
  })
  const shown = rows.slice(0, ASKED_LINES).map(row => [span('  '), ...row])
  const left = rows.length - shown.length
  return [
    [span(tool, { bold: true })],
    ...shown,
    ...(left > 0 ? [line(`  … and ${left} more rows`, { colour: 'yellow' })] : []),
  ]
}

/** What a call came to, in a row or a few. */
export function outcomeLines(
  { label, outcome, text }: { label: string; outcome: ToolOutcome; text: string },
  width: number,
): Line[] {
  const rows = text.trimEnd().split('\n')
  if (outcome !== 'ok') {
    const shown = rows.slice(0, PROBLEM_LINES).flatMap(row => wrap(line(row, DIM), width - 2))
    const style = outcome === 'interrupted' ? { colour: 'yellow' as const } : { colour: 'red' as const }
    return [[span('✗ ', style), span(fitTo(label, width - 2))], ...shown.map(row => [span('  '), ...row])]
  }
  // What is made for programs says nothing to a person that the call and its effects do not.
  const isData = /^\s*[[{]/.test(text)
  const first = isData ? '' : (rows.find(row => row.trim() !== '')?.trim() ?? '')
  const more = rows.length > 1 ? ` (${rows.length} lines)` : ''
  const result = first === '' ? '' : `  ${fitTo(first, Math.max(10, width - 2 - more.length))}${more}`
  return [
    [span('✓ ', { colour: 'green' }), span(fitTo(label, width - 2))],
    ...(result === '' ? [] : [line(result, DIM)]),
  ]
}
