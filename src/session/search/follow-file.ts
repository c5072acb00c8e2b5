/**
 * Brings the index up to date with one session file. It is done in steps, each to be run in a transaction by
 * whoever drives this: a worker waits for the lock of the database, the main thread never does. Another process may
 * be at the same file, so every step looks first whether things still stand as it took them to be.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { systemCode } from '../../store/index.ts'
import { changeOf, type FileStamp, type FileState, isStillThere, UNREAD } from './file-state.ts'
import { BEING_DROPPED, type IndexTables } from './index-tables.ts'
import { readTurns } from './read-turns.ts'
import { partsOf, projectNumber, toStamp } from './session-files.ts'

export interface Followed {
  /** Bytes of the file that were read. */
  bytes: number
  /** Turns that were added. */
  turns: number
}

export interface Step {
  /** To be run in a transaction, before the file is followed any further. */
  run: () => void
  /** How much it puts in, in bytes of words. */
  weight: number
}

/**
 * What one transaction should take in, in bytes of words: some 50 ms, in which nobody else can write. Larger ones
 * would make a faster index of more words at a time, smaller ones have FTS5 merge more often.
 */
export const TRANSACTION_WEIGHT = 1024 * 1024

/** Turns that are removed in one transaction. */
const DROPPED_AT_ONCE = 500
/** Every time that somebody else was faster, that one has done what was to be done. */
const MOST_ATTEMPTS = 100

/** A step takes in about `wanted` bytes of words, unless all of the file has less. */
export function* followFile(
  tables: IndexTables,
  path: string,
  name: string,
  wanted = TRANSACTION_WEIGHT,
): Generator<Step, Followed> {
  const followed: Followed = { bytes: 0, turns: 0 }
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const known = tables.state(name)
    using file = openSession(path)
    const change = file === undefined ? 'gone' : changeNow(file, known)
    if (change === 'none' || (change === 'gone' && !known)) break
    if (known && change !== 'grown') yield* drop(tables, name, known)
    else if (file && (yield* readOn(tables, { ...file, wanted }, name, known, followed))) break
  }
  return followed
}

/** Whether it was read to its end, and nobody else did so meanwhile. */
function* readOn(
  tables: IndexTables,
  { file, stamp, wanted }: OpenSession & { wanted: number },
  name: string,
  known: FileState | undefined,
  followed: Followed,
): Generator<Step, boolean> {
  const { index } = tables
  const project = projectNumber(partsOf(name).project)
  const now = BigInt(Date.now()) * 1_000_000n
  let before = known
  const source = { file, group: name, project, stamp, index, now, wanted }
  for (const batch of readTurns(source, known ?? { ...UNREAD, ...stamp })) {
    followed.bytes += batch.bytes
    let overtaken = false
    const { documents, months, after } = batch
    if (!isSame(before, after))
      yield {
        run: () => {
          overtaken = !isSame(tables.state(name), before)
          if (overtaken) return
          index.put(documents)
          tables.addMonths(months)
          tables.setState(name, after)
        },
        weight: documents.reduce((sum, { words }) => sum + words.length, 0),
      }
    if (overtaken) return false
    followed.turns += documents.length
    before = after
  }
  return true
}

/** Removes the turns of a file, if nobody has done so and read it anew meanwhile. */
function* drop(tables: IndexTables, name: string, known: FileState): Generator<Step> {
  let expected = known
  let done = false
  while (!done)
    yield {
      run: () => {
        done = true
        if (!isSame(tables.state(name), expected)) return
        if (tables.index.removeGroup(name, DROPPED_AT_ONCE) < DROPPED_AT_ONCE) {
          tables.forget(name)
          return
        }
        expected = { ...known, consumed: BEING_DROPPED }
        tables.setState(name, expected)
        done = false
      },
      weight: TRANSACTION_WEIGHT,
    }
}

/** An error of the file system, and not of the database. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

interface OpenSession extends Disposable {
  file: number
  stamp: FileStamp
}

/** Undefined when there is no such file. What is in its place and not a file, such as a pipe, is not waited for. */
function openSession(path: string): OpenSession | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
  const stats = fstatSync(file, { bigint: true })
  const close = () => closeSync(file)
  if (stats.isFile()) return { file, stamp: toStamp(stats), [Symbol.dispose]: close }
  close()
  return undefined
}

function changeNow({ file, stamp }: OpenSession, known: FileState | undefined): 'none' | 'grown' | 'anew' {
  if (!known) return 'grown'
  const change = known.consumed === BEING_DROPPED ? 'anew' : changeOf(known, stamp)
  if (change !== 'perhaps grown') return change
  return isStillThere(file, known) ? 'grown' : 'anew'
}

function isSame(a: FileState | undefined, b: FileState | undefined): boolean {
  if (!a || !b) return a === b
  return (Object.keys(a) as (keyof FileState)[]).every(key => a[key] === b[key])
}
