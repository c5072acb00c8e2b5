import { bytesOf, linesOf } from './lines.ts'
import type { Stamp, Told } from './source.ts'

/** Makes messages of the lines of one transcript, in order. */
export interface LineConverter {
  take(value: unknown): Told[]
  /** What can only be told when everything has been read. */
  finish(): Told[]
}

/** What a transcript of one JSON value a line says. */
export async function* readTranscript(
  path: string,
  stamp: Stamp,
  converter: LineConverter,
): AsyncGenerator<Told> {
  for await (const { line, start, value, problem, unfinished } of linesOf(bytesOf(path, stamp))) {
    if (problem === undefined) {
      for (const told of converter.take(value))
        yield 'problem' in told ? { problem: `line ${line}: ${told.problem}` } : told
    } else if (unfinished) {
      yield { unfinished: `line ${line} has no end: ${problem}`, bytes: start }
    } else {
      yield { problem: `line ${line}: ${problem}` }
    }
  }
  yield* converter.finish()
}

/** How far a transcript is looked into for something that stands near its beginning. */
const HEAD_LINES = 50
const HEAD_BYTES = 4 * 1024 * 1024

/** The first answer that a line near the beginning gives. */
export async function findInHead<T>(
  path: string,
  stamp: Stamp,
  look: (value: unknown) => T | undefined,
): Promise<T | undefined> {
  for await (const { line, start, value } of linesOf(bytesOf(path, stamp))) {
    const found = look(value)
    if (found !== undefined) return found
    if (line >= HEAD_LINES || start > HEAD_BYTES) return undefined
  }
  return undefined
}
