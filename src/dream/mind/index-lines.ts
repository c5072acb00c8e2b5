/** MEMORY.md as it should be after a dream: every line leads somewhere, none is too long, the caps hold. */
import {
  deriveIndex,
  fileOfLine,
  INDEX_FILE,
  LINE_LIMIT,
  printLine,
  withoutSecrets,
  worthOf,
} from '../../memory/index.ts'
import type { DreamMaterial, DreamMemory, ProposedChange } from '../dreamer.ts'
import type { Board } from './board.ts'

export interface TendedIndex {
  /** Its lines mended: none too long, none twice, none that leads nowhere, no secret. What follows from the files is not in it. */
  mended: string
  /** All of it, as a change. */
  change: ProposedChange | undefined
}

export async function tendIndex(material: DreamMaterial, board: Board): Promise<TendedIndex> {
  const newline = material.index.includes('\r\n') ? '\r\n' : '\n'
  const before = new Map(material.memories.map(memory => [memory.file, memory]))
  const others = new Set(material.others)
  const clean = await withoutSecrets(material.index)
  if (clean !== material.index)
    board.findings.push({ kind: 'secret', files: [INDEX_FILE], detail: 'the index held a secret' })
  const seen = new Set<string>()
  const ours = new Map<string, string>()
  const lines = clean.split(/\r\n|\n/).flatMap(line => {
    const file = fileOfLine(line)
    if (file === undefined) return [line]
    if (!before.has(file) && !others.has(file)) {
      const detail = `a line pointed to ${file}, which is gone`
      board.findings.push({ kind: 'dangling', files: [INDEX_FILE], detail })
      return []
    }
    if (seen.has(line)) return []
    seen.add(line)
    const memory = before.get(file)
    const told = board.get(file)
    const short = told && line.length > LINE_LIMIT && tells(told, line) ? printLine(told) : line
    if (memory && (line === printLine(memory) || short !== line)) ours.set(file, short)
    return [short]
  })
  const remaining = board.all()
  const mended = lines.join(newline)
  const derived = deriveIndex({
    text: mended,
    entries: remaining.map(memory => ({
      ...memory,
      worth: worthOf(
        { ...memory, confirmed: memory.confirmed.getTime(), recalled: 0 },
        material.now.getTime(),
      ),
    })),
    present: new Set([...remaining.map(({ file }) => file), ...material.others]),
    ours,
  })
  if (derived.text === material.index) return { mended, change: undefined }
  return {
    mended,
    change: {
      file: INDEX_FILE,
      text: derived.text,
      action: material.index === '' ? 'create' : 'update',
      reason: 'the index follows the files',
    },
  }
}

/**
 * What lines that are too long tell goes to their files, where those do not tell it already; before anything is joined,
 * so that it is kept whatever becomes of the file.
 */
export function takeUpDetail(index: string, board: Board): void {
  for (const line of index.split(/\r\n|\n/)) {
    const file = fileOfLine(line)
    const memory = file === undefined ? undefined : board.get(file)
    if (!memory || line.length <= LINE_LIMIT) continue
    const told = tells(memory, line)
    const open = !told && !board.mayChange(memory.file)
    board.findings.push({
      kind: 'long-line',
      files: [INDEX_FILE, memory.file],
      detail: `the line of ${memory.file} is ${line.length} characters long${open ? ', and the file is not to be changed' : ''}`,
      ...(open && { isOpen: true }),
    })
    if (!told) board.takeUp(memory.file, detailOf(line))
  }
}

function detailOf(line: string): string {
  return line.replace(/^.*?\]\([^)]*\)[*_]*\s*(?:[—–:-]+\s*)?/, '').trim()
}

function tells({ name, description, body }: DreamMemory, line: string): boolean {
  return flat(`${name} ${description} ${body}`).includes(flat(detailOf(line)))
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
