import { ReverieError } from '../../../store/index.ts'

/** What a patch asks for, in whichever form it was written. */
export type FilePatch =
  | { kind: 'add'; path: string; lines: readonly string[]; endsWithNewline: boolean }
  | { kind: 'delete'; path: string; hunks: readonly Hunk[] }
  | { kind: 'update'; path: string; moveTo?: string; hunks: readonly Hunk[] }

export interface Hunk {
  /** Lines that stand above it, not necessarily right above, outermost first. */
  headings: readonly string[]
  /** Where it was before, from 1 on, as far as the patch knows. */
  line?: number
  lines: readonly HunkLine[]
  /** Nothing follows it in the file. */
  atEnd: boolean
  /** Whether the file ends with a newline afterwards, where the patch says so. */
  endsWithNewline?: boolean
}

export interface HunkLine {
  kind: 'keep' | 'remove' | 'add'
  text: string
}

export class BadPatch extends ReverieError {}

export function oldLines({ lines }: Hunk): string[] {
  return lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text)
}

const KINDS: Readonly<Record<string, HunkLine['kind']>> = { ' ': 'keep', '-': 'remove', '+': 'add' }

/** Undefined when it is no line of a hunk. An empty one is an empty line that is kept, its space lost on the way. */
export function hunkLine(line: string): HunkLine | undefined {
  if (line === '') return { kind: 'keep', text: '' }
  const kind = KINDS[line[0] ?? '']
  return kind && { kind, text: line.slice(1) }
}
