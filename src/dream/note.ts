/** What is kept of a dream in the journal, beside what it changed. */
import type { DreamReport, ProposedChange } from './dreamer.ts'

export const NOTED = 'dream.json'

export interface DreamNote extends Partial<DreamReport> {
  dreamer?: string
  /** How far the history was read. */
  cursor?: number
  /** From when on sessions were read, ISO 8601; null for all of them. */
  since?: string | null
  changes?: readonly Omit<ProposedChange, 'text'>[]
}

interface Noted {
  report: DreamReport
  made: readonly ProposedChange[]
  dreamer: string
  cursor: number
  since: Date | undefined
}

export function noteText({ report, made, dreamer, cursor, since }: Noted): string {
  const { findings, learnt, letGo, usage } = report
  const changes = made.map(withoutText)
  const read = { cursor, since: since?.toISOString() ?? null }
  const note: DreamNote = { dreamer, ...read, changes, findings, learnt, letGo, usage }
  return `${JSON.stringify(note, null, 1)}\n`
}

function withoutText({ file, action, reason, wentTo }: ProposedChange): Omit<ProposedChange, 'text'> {
  return { file, action, reason, ...(wentTo !== undefined && { wentTo }) }
}

export function readNote(text: string | undefined): DreamNote {
  try {
    return JSON.parse(text ?? '{}') as DreamNote
  } catch {
    return {} // somebody else's, or damaged
  }
}
