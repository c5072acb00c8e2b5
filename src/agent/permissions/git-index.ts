/** What git keeps track of in a repository, as its index says it (gitformat-index). */
import { readFileSync, statSync } from 'node:fs'

/** Bytes of an index that are still looked through: some 200,000 files. */
const LARGEST_INDEX = 32_000_000

export interface Tracked {
  /** Of what kind it is; see below. */
  kind: number
  name: string
}

/** The upper bits of a mode: another repository, and a whole directory of which the index does not tell more. */
export const REPOSITORY = 0o16
export const DIRECTORY = 0o04

const HEADER_BYTES = 12
const MODE_AT = 24
const HASH_AT = 40
const EXTENDED = 0x4000

/** `undefined` when it cannot be told, because the index is of a kind that is not read. */
export function trackedIn(file: string, hashBytes: number): Tracked[] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.size > LARGEST_INDEX) return undefined
  const index = readFileSync(file)
  const version = index.readUInt32BE(4)
  // Version 4 shortens names: not read.
  if (version !== 2 && version !== 3) return undefined
  const found: Tracked[] = []
  let at = HEADER_BYTES
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + HASH_AT + hashBytes
    const extended = version === 3 && (index.readUInt16BE(flagsAt) & EXTENDED) !== 0
    const nameAt = flagsAt + (extended ? 4 : 2)
    const end = index.indexOf(0, nameAt)
    if (end < 0) return undefined
    found.push({ kind: index.readUInt32BE(at + MODE_AT) >>> 12, name: index.toString('utf8', nameAt, end) })
    at += Math.ceil((end + 1 - at) / 8) * 8
  }
  return needsMore(index.subarray(at, index.length - hashBytes)) ? undefined : found
}

/** Extensions without which an index must not be read begin with a small letter: some of it is elsewhere. */
function needsMore(extensions: Buffer): boolean {
  for (let at = 0; at < extensions.length; at += 8 + extensions.readUInt32BE(at + 4)) {
    const first = extensions[at] ?? 0
    if (first < 0x41 || first > 0x5a) return true
  }
  return false
}
