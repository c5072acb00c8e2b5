/** What came of a dream, in the form that other programs rely on (1-product.md). */
import type { DreamOutcome } from './dream.ts'

export interface DreamReportForPrograms {
  status: 'completed' | 'skipped'
  /** Nothing was changed, because only the question was asked what would be. */
  dryRun?: true
  gate?: string
  reason?: string
  /** By which it is undone. */
  id?: string
  changes: { file: string; action: string; reason: string }[]
  tokens: { in: number; out: number }
  ms: number
  warnings: string[]
}

export function reportForPrograms(outcome: DreamOutcome): DreamReportForPrograms {
  const { status, gate, reason, id, changes, usage, ms, warnings } = outcome
  return {
    status: status === 'skipped' ? 'skipped' : 'completed',
    ...(status === 'dry-run' && { dryRun: true }),
    ...(gate !== undefined && { gate }),
    ...(reason !== undefined && { reason }),
    ...(id !== undefined && { id }),
    changes: changes.map(({ file, action, reason }) => ({ file, action, reason })),
    tokens: { in: usage.input, out: usage.output },
    ms,
    warnings,
  }
}
