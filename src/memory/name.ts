import { createHash } from 'node:crypto'
import { fileNameProblem, ReverieError } from '../store/index.ts'
import type { MemoryType } from './entry.ts'

/** A file argument that is not the plain name of a memory file. */
export class BadFileName extends ReverieError {}

export const INDEX_FILE = 'MEMORY.md'

const SLUG_LENGTH = 60
const HASH_LENGTH = 8

/** The readable part of a file name: ASCII, or a short hash when the name has no ASCII letters or digits. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  return /[a-z]/.test(slug) ? slug : [slug, hashOf(name)].filter(Boolean).join('-')
}

function hashOf(name: string): string {
  return createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, HASH_LENGTH)
}

/** The file names a new memory may take, best first: the second is for another name with the same slug. */
export function* fileNames(type: MemoryType, name: string): Generator<string> {
  const slug = slugOf(name)
  yield `${type}_${slug}.md`
  for (let number = 2; ; number++) yield `${type}_${slug}-${number}.md`
}

/** Names are the same if they differ only in case, spacing or Unicode form. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim()
}

/** Whether a file in a memory directory could be a memory. */
export function isMemoryFileName(file: string): boolean {
  return /\.md$/i.test(file) && !file.startsWith('.') && file.toLowerCase() !== INDEX_FILE.toLowerCase()
}

/** Throws unless `file` is a plain file name of a memory. */
export function assertMemoryFile(file: string): void {
  const problem = fileNameProblem(file)
  if (problem) throw new BadFileName(`${JSON.stringify(file)} is not the name of a memory file: ${problem}.`)
  if (!isMemoryFileName(file))
    throw new BadFileName(
      `${JSON.stringify(file)} is not the name of a memory file: those end in .md, and ${INDEX_FILE} is their index.`,
    )
}
