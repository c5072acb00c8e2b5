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
import type { DreamMaterial, ProposedChange } from '../dreamer.ts'
import type { Board } from './board.ts'

export async function tendIndex(material: DreamMaterial, board: Board): Promise<ProposedChange | undefined> {
  const newline = material.index.includes('\r\n') ? '\r\n' : '\n'
  const before = new Map(material.memories.map(memory => [memory.file, memory]))
  const clean = await withoutSecrets(material.index)
  if (clean !== material.index)
    board.findings.push({ kind: 'secret', files: [INDEX_FILE], detail: 'the index held a secret' })
  const seen = new Set<string>()
  const ours = new Map<string, string>()
  const lines = clean.split(/\r\n|\n/).flatMap(line => {
    const file = fileOfLine(line)
    if (file === undefined) return [line]
    if (seen.has(line)) return []
    seen.add(line)
    const memory = before.get(file)
    const short = memory && line.length > LINE_LIMIT ? shortened(board, file, line) : line
    if (memory && (line === printLine(memory) || short !== line)) ours.set(file, short)
    return [short]
  })
  const remaining = board.all()
  const derived = deriveIndex({
    text: lines.join(newline),
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
  for (const { file } of derived.dropped)
    if (!before.has(file)) {
      board.findings.push({
        kind: 'dangling',
        files: [INDEX_FILE],
        detail: `a line pointed to ${file}, which is gone`,
      })
    }
  if (derived.text === material.index) return undefined
  return {
    file: INDEX_FILE,
    text: derived.text,
    action: material.index === '' ? 'create' : 'update',
    reason: 'the index follows the files',
  }
}

/** What a line that is too long tells goes to its file, if that does not tell it already. */
function shortened(board: Board, file: string, line: string): string {
  const memory = board.get(file)
  if (!memory) return line
  const detail = line.replace(/^.*?\]\([^)]*\)[*_]*\s*(?:[—–:-]+\s*)?/, '').trim()
  const told = flat(`${memory.name} ${memory.description} ${memory.body}`).includes(flat(detail))
  if (!told && !board.mayChange(file)) {
    board.findings.push({
      kind: 'long-line',
      files: [INDEX_FILE, file],
      detail: `the line of ${file} is too long, and the file is not to be changed`,
    })
    return line
  }
  if (!told)
    board.edit(
      file,
      { body: `${memory.body}\n\n${detail}`.trim() },
      'took up the detail of its line in the index',
    )
  board.findings.push({
    kind: 'long-line',
    files: [INDEX_FILE, file],
    detail: `the line of ${file} was ${line.length} characters long`,
  })
  return printLine(board.get(file) ?? memory)
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
