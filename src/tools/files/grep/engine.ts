import type { JavaScriptPattern } from './dialect.ts'

/** A line with a match in it. */
export interface Hit {
  /** From 1 on. */
  line: number
  /** Where in the line the first match begins; 0 in the later lines of a match over several. */
  column: number
}

export interface GrepQuery {
  javascript: JavaScriptPattern
  rust: string
  multiline: boolean
  /** Lines of one file after which it need not go on. */
  mostPerFile: number
}

export interface GrepOutcome {
  /** Only files with matches in them. */
  hits: ReadonlyMap<string, readonly Hit[]>
  /** Files on which it took so long that they were given up. */
  tooSlow: readonly string[]
}

/** Searches some files. Which files, in which order, and what is told of it, is not for the engine to decide. */
export type GrepEngine = (
  files: readonly string[],
  query: GrepQuery,
  signal: AbortSignal,
) => Promise<GrepOutcome>

/** Larger ones are not searched for matches over several lines: all of a file has to be in memory for that. */
export const MOST_MULTILINE_BYTES = 64 * 1024 * 1024
