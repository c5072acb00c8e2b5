import type { OwnPlaces } from '../../tools/index.ts'
import type { ParseShell } from './shell/index.ts'

export interface Eyes extends OwnPlaces {
  parse: ParseShell
  home: string
  /** Of the project. */
  root: string
  searchPath?: string | undefined
}

/**
 * How much is looked at for one command, in names that are read: some half a second. What names more is not typed by
 * anybody, and would keep everything else waiting.
 */
export const MOST_LOOKS = 40_000
/** A path is followed part by part. */
export const LOOKS_PER_PATH = 4

/** Eyes that get tired. */
export interface Looking extends Eyes {
  left: number
  /** The same command writes files: what is found now may be something else by then. */
  writes: boolean
}

/** False when nothing more is looked at. */
export function spend(looking: Looking, looks: number): boolean {
  looking.left -= looks
  return looking.left >= 0
}
