/** From what the index found to what a reader sees: the words themselves are read where they stand. */
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Hit, snippet } from '../../search/index.ts'
import { systemCode } from '../../store/index.ts'
import type { MessageOrigin, Role } from '../message.ts'
import type { MessageRecord } from '../record.ts'
import { recordIn } from './read-turns.ts'
import { partsOf, pathOf } from './session-files.ts'
import { turnText } from './turn-text.ts'

export interface SessionHit {
  session: string
  /** What the project is called below `projects/`. */
  project: string
  title: string
  at: string
  role: Role
  snippet: string
  file: string
  /** Where the message stands in the file: its line from 1 on, and its byte. */
  line: number
  offset: number
  /** Comparable within one search only. */
  score: number
}

/** The message of a hit as a reader sees it, and a number that the same message has wherever it stands. */
export interface ReadHit {
  hit: SessionHit
  check: number
  /** All of it, and who is behind it. */
  text: string
  origin: MessageOrigin
  offRecord: boolean
}

/** Undefined when the message no longer stands where the index has it. */
export async function readHit(projects: string, found: Hit, title: string): Promise<ReadHit | undefined> {
  const { group: name = '', score, matched, carried } = found
  const { offset, bytes, line, check } = carried as Record<'offset' | 'bytes' | 'line' | 'check', number>
  const file = pathOf(projects, name)
  const record = await messageAt(file, offset, bytes, check)
  const said = record && turnText(record)
  if (!said) return undefined
  const { at, role, origin, offRecord = false } = record
  const { text } = snippet(said.text, matched)
  const hit = { ...partsOf(name), title, at, role, snippet: text, file, line, offset, score }
  return { check, hit, text: said.text, origin, offRecord }
}

async function messageAt(
  path: string,
  offset: number,
  length: number,
  check: number,
): Promise<MessageRecord | undefined> {
  try {
    await using file = await open(path, 'r')
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, offset)
    if (bytesRead < length || crc32(bytes) !== check) return undefined
    const record = recordIn({ bytes })
    return record?.kind === 'message' ? record : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined // gone, or not to be read
  }
}
