/** What is remembered of a session file, and what it tells about the file as it is now. */
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** A file as the directory tells it. */
export interface FileStamp {
  inode: string
  size: number
  mtimeNs: string
}

export interface FileState extends FileStamp {
  /** Up to where it was read, the lines before that, and the turns among them. */
  consumed: number
  lines: number
  turns: number
  /** Fingerprints of its beginning, and of what stands just before `consumed`. */
  head: number
  tail: number
  title: string
}

export const UNREAD: Omit<FileState, keyof FileStamp> = {
  consumed: 0,
  lines: 0,
  turns: 0,
  head: 0,
  tail: 0,
  title: '',
}

/** Stands for a time at which the file may still have been changing, and for the size of one not read to its end. */
export const UNSURE = ''

/** A file written this shortly before it was read may be written again within the same tick of the clock. */
const RACY_NS = 50_000_000n

const FINGERPRINT_BYTES = 4096

/** What is to be done about a file, as far as the directory tells. */
export type Change =
  | 'none'
  /** More was written, if what was read is still there. */
  | 'perhaps grown'
  /** It was replaced, cut off or rewritten. */
  | 'anew'

export function changeOf(known: FileState, now: FileStamp): Change {
  if (known.inode !== now.inode || now.size < known.consumed) return 'anew'
  if (known.mtimeNs === UNSURE) return 'perhaps grown'
  if (known.size === now.size) return known.mtimeNs === now.mtimeNs ? 'none' : 'anew'
  return 'perhaps grown'
}

/** As it is to be remembered, for a look at the file at the time `now`. */
export function settled(stamp: FileStamp, now: bigint): FileStamp {
  const age = now - BigInt(stamp.mtimeNs)
  return age > -RACY_NS && age < RACY_NS ? { ...stamp, mtimeNs: UNSURE } : stamp
}

/** Whether what was read of a file still stands there. */
export function isStillThere(file: number, { consumed, head, tail }: FileState): boolean {
  const found = fingerprints(file, consumed)
  return found.head === head && found.tail === tail
}

export function fingerprints(file: number, consumed: number): Pick<FileState, 'head' | 'tail'> {
  const bytes = Math.min(FINGERPRINT_BYTES, consumed)
  return { head: checksum(file, 0, bytes), tail: checksum(file, consumed - bytes, bytes) }
}

function checksum(file: number, from: number, bytes: number): number {
  const buffer = Buffer.alloc(bytes)
  return crc32(buffer.subarray(0, readSync(file, buffer, 0, bytes, from)))
}
