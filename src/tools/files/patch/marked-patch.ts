/** The form between `*** Begin Patch` and `*** End Patch`. */
import { BadPatch, type FilePatch, type Hunk, type HunkLine, hunkLine } from './patch-form.ts'

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/
const END_OF_FILE = '*** End of File'
const NUMBERS = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?/

export function parseMarkedPatch(lines: readonly string[]): FilePatch[] {
  const from = lines.findIndex(line => line.trim() === '*** Begin Patch')
  const to = lines.findLastIndex(line => line.trim() === '*** End Patch')
  if (to < from)
    throw new BadPatch('The patch has no "*** End Patch" line: it seems to be cut. Nothing was changed.')
  const sections = sectionsOf(lines.slice(from + 1, to))
  if (sections.length === 0) throw new BadPatch('The patch changes no file.')
  return sections.map(toFilePatch)
}

interface Section {
  kind: string
  path: string
  lines: string[]
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = []
  for (const line of lines) {
    const [, kind, path] = HEADER.exec(line) ?? []
    if (kind && path) sections.push({ kind, path: path.trim(), lines: [] })
    else if (sections.length > 0) sections.at(-1)?.lines.push(line)
    else if (line.trim() !== '')
      throw new BadPatch(
        `"${line}" stands before the first "*** Update File:", "*** Add File:" or "*** Delete File:".`,
      )
  }
  return sections
}

function toFilePatch({ kind, path, lines }: Section): FilePatch {
  if (kind === 'Add') return { kind: 'add', path, lines: addedLines(path, lines), endsWithNewline: true }
  if (kind === 'Delete') {
    const rest = lines.find(line => line.trim() !== '')
    if (rest !== undefined) throw new BadPatch(`"${rest}" cannot follow "*** Delete File: ${path}".`)
    return { kind: 'delete', path, hunks: [] }
  }
  const moveTo = MOVE.exec(lines[0] ?? '')?.[1]?.trim()
  const hunks = hunksOf(path, moveTo === undefined ? lines : lines.slice(1))
  if (hunks.length === 0 && moveTo === undefined)
    throw new BadPatch(`The patch says nothing about how to change ${path}.`)
  return { kind: 'update', path, hunks, ...(moveTo !== undefined && { moveTo }) }
}

function addedLines(path: string, lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line !== '')
  return lines.slice(0, last + 1).map(line => {
    if (!line.startsWith('+'))
      throw new BadPatch(`Every line of the new file ${path} begins with "+"; "${line}" does not.`)
    return line.slice(1)
  })
}

interface Growing {
  headings: string[]
  line?: number
  lines: HunkLine[]
  atEnd: boolean
}

function hunksOf(path: string, lines: readonly string[]): Hunk[] {
  const hunks: Growing[] = []
  let current: Growing | undefined
  const begin = (): Growing => {
    const hunk: Growing = { headings: [], lines: [], atEnd: false }
    hunks.push(hunk)
    return hunk
  }
  const last = lines.findLastIndex(line => line !== '')
  for (const line of lines.slice(0, last + 1)) {
    if (line.startsWith('@@')) {
      // Several headings in a row lead to one place.
      if (!current || current.lines.length > 0) current = begin()
      addHeading(current, line)
    } else if (line.trim() === END_OF_FILE) {
      if (current) current.atEnd = true
    } else {
      const read = hunkLine(line)
      if (!read)
        throw new BadPatch(
          `"${line}" in the patch of ${path} begins with none of "+", "-", a space and "@@".`,
        )
      current ??= begin()
      current.lines.push(read)
    }
  }
  const empty = hunks.find(({ lines }) => lines.length === 0)
  if (empty) throw new BadPatch(`A part of the patch of ${path} has an "@@" line and nothing after it.`)
  return hunks
}

function addHeading(hunk: Growing, line: string): void {
  const said = line
    .slice(2)
    .trim()
    .replace(/\s*@@$/, '')
  const numbers = NUMBERS.exec(`${line.slice(2).trim()} `)
  if (numbers) hunk.line = Number(numbers[1])
  else if (said !== '') hunk.headings.push(said)
}
