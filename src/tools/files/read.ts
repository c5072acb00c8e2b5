import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { contentHash, ReverieError } from '../../store/index.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'
import type { Workspace } from '../workspace.ts'
import { type Kind, kindOf, sizeInWords } from './kind.ts'
import { linesOf } from './line-endings.ts'
import { streamLines } from './line-stream.ts'
import { CannotRead, openFile, readAll, WHOLE_FILE_BYTES } from './open-file.ts'
import { shownPath, toAbsolute, touching } from './path.ts'
import type { LineRange, SeenFiles } from './seen.ts'
import { decodeText, formOf, type TextForm } from './text-form.ts'

const USUAL_LINES = 2_000
const LONGEST_LINE = 2_000
/** Less than a result may have, so that it is cut between lines and not by whoever runs the tool. */
const MOST_CHARACTERS = 90_000
const MOST_IMAGE_BYTES = 5 * 1024 * 1024
const SAMPLE_BYTES = 64 * 1024

export class NotText extends ReverieError {}

export interface ReadOptions {
  workspace: Workspace
  seen: SeenFiles
}

/** A line as the model is shown it. */
export function numbered(number: number, text: string, length = text.length): string {
  const cut = length > LONGEST_LINE ? ` … [${length - LONGEST_LINE} more characters]` : ''
  return `${String(number).padStart(4)}\t${text.slice(0, LONGEST_LINE)}${cut}`
}

export function readTool({ workspace, seen }: ReadOptions): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a file: text with line numbers (number, tab, line), 2,000 lines unless told otherwise, or an image. ' +
      'Read a file before you change it. What did not change since you last read it is not shown again.',
    input: z.object({
      path: z.string().describe('relative to the working directory, absolute, or from ~'),
      offset: z.int().min(1).optional().describe('the first line, counted from 1'),
      limit: z.int().min(1).optional().describe('how many lines'),
    }),
    readOnly: true,
    touches: ({ path }) => touching('read', () => [toAbsolute(path, workspace)]),
    async run({ path, offset = 1, limit = USUAL_LINES }, { signal }) {
      const absolute = toAbsolute(path, workspace)
      const shown = shownPath(absolute, workspace)
      await using file = await openFile(absolute, shown)
      const target: Target = { ...file, shown, offset, limit, seen, signal }
      const bytes = file.stats.size > WHOLE_FILE_BYTES ? undefined : await readAll(file.handle)
      // Awaited here: the file is closed on the way out.
      return bytes ? readWhole(target, bytes) : await readPart(target)
    },
  })
}

interface Target {
  handle: FileHandle
  stats: Stats
  real: string
  shown: string
  offset: number
  limit: number
  seen: SeenFiles
  signal: AbortSignal
}

function readWhole(target: Target, bytes: Buffer): ToolOutput {
  const { shown, offset, limit } = target
  const kind = kindOf(bytes)
  if (kind.is !== 'other') return notText(shown, kind, bytes)
  const decoded = decodeText(bytes)
  if (!decoded) return notText(shown, kind, bytes)
  const lines = linesOf(decoded.text.toWellFormed())
  const hash = contentHash(bytes)
  if (lines.length === 0) {
    target.seen.read(target.real, { hash, mtimeMs: target.stats.mtimeMs }, { from: 1, to: 0 }, 0)
    return { text: `${shown} is empty${bytes.length > 0 ? ' except for a byte order mark' : ''}.` }
  }
  if (offset > lines.length)
    throw new CannotRead(`${shown} has only ${count(lines.length, 'line')}; there is no line ${offset}.`)
  const page = onePage(
    lines.slice(offset - 1, offset - 1 + limit).map((text, at) => ({ number: offset + at, text })),
  )
  const notes = formNotes(decoded.form, decoded.text)
  return tell(target, { hash, page, notes, total: lines.length })
}

/** Only as far as was asked for. */
async function readPart(target: Target): Promise<ToolOutput> {
  const { handle, stats, shown, offset, limit, signal } = target
  const sample = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await handle.read(sample, 0, SAMPLE_BYTES, 0)
  const beginning = sample.subarray(0, bytesRead)
  const kind = kindOf(beginning)
  const form = formOf(beginning)
  if (kind.is !== 'other' || !form) return notText(shown, kind, beginning, stats.size)
  const wanted: Line[] = []
  let seenLines = 0
  for await (const lines of streamLines(handle, form, { longest: LONGEST_LINE, signal })) {
    seenLines = lines.at(-1)?.number ?? seenLines
    wanted.push(...lines.filter(({ number }) => number >= offset && number < offset + limit))
    if (seenLines >= offset + limit - 1 || wanted.length * 10 > MOST_CHARACTERS) break
  }
  if (wanted.length === 0)
    throw new CannotRead(`${shown} has only ${count(seenLines, 'line')}; there is no line ${offset}.`)
  const hash = `${stats.ino}:${stats.size}:${stats.mtimeMs}`
  const notes = [
    `The file has ${sizeInWords(stats.size)}; look for what you need with grep.`,
    ...formNotes(form),
  ]
  return tell(target, { hash, page: onePage(wanted), notes, total: undefined })
}

interface Line {
  number: number
  text: string
  length?: number
}

interface Page {
  lines: string[]
  range: LineRange
}

/** As many lines as fit into one result, and at least one. */
function onePage(lines: readonly Line[]): Page {
  const from = lines[0]?.number ?? 1
  const shown: string[] = []
  let characters = 0
  for (const { number, text, length } of lines) {
    const line = numbered(number, text, length)
    characters += line.length + 1
    if (characters > MOST_CHARACTERS && shown.length > 0) break
    shown.push(line)
  }
  return { lines: shown, range: { from, to: from + shown.length - 1 } }
}

interface Told {
  hash: string
  page: Page
  notes: readonly string[]
  /** Undefined when nobody counted. */
  total: number | undefined
}

function tell({ seen, real, shown, stats }: Target, { hash, page, notes, total }: Told): ToolOutput {
  const { from, to } = page.range
  if (seen.wasShown(real, hash, page.range)) {
    // Who asks once more seems to have lost it.
    seen.forgetShown(real)
    return { text: `${shown}, lines ${from}–${to}: unchanged since you last read them.` }
  }
  seen.read(real, { hash, mtimeMs: stats.mtimeMs }, page.range, total ?? Number.POSITIVE_INFINITY)
  const rest =
    total === undefined
      ? [`Lines ${from}–${to}. Go on with offset ${to + 1}.`]
      : from > 1 || to < total
        ? [`Lines ${from}–${to} of ${total}.${to < total ? ` Go on with offset ${to + 1}.` : ''}`]
        : []
  const said = [...rest, ...notes].join(' ')
  return { text: page.lines.join('\n') + (said ? `\n\n[${said}]` : '') }
}

function formNotes({ encoding, bom }: TextForm, text?: string): string[] {
  const notes: string[] = []
  if (encoding !== 'UTF-8') notes.push(`Encoding: ${encoding}${bom ? ' with byte order mark' : ''}.`)
  else if (bom) notes.push('Encoding: UTF-8 with byte order mark.')
  if (encoding === 'UTF-8' && text !== undefined && !text.isWellFormed())
    notes.push('Some bytes are not valid UTF-8 and are shown as \ufffd.')
  if (text?.includes('\r\n')) notes.push('Lines end with CRLF, which is kept when you change them.')
  if (text !== undefined && !text.endsWith('\n')) notes.push('No newline at the end.')
  return notes
}

function notText(shown: string, kind: Kind, bytes: Buffer, size = bytes.length): ToolOutput {
  if (kind.is === 'pdf')
    throw new NotText(
      `${shown} is a PDF (${sizeInWords(size)}). Extract its text with bash: pdftotext -layout '${shown}' - | head -n 500`,
    )
  if (kind.is === 'other')
    throw new NotText(`${shown} is ${kind.name} (${sizeInWords(size)}), not text; it was not read.`)
  const { mediaType } = kind
  if (size > MOST_IMAGE_BYTES)
    throw new NotText(
      `${shown} is an image of ${sizeInWords(size)}; at most ${sizeInWords(MOST_IMAGE_BYTES)} can be shown. Make a smaller copy first.`,
    )
  return {
    text: `${shown}: ${mediaType}, ${sizeInWords(size)}.`,
    images: [{ type: 'image', mediaType, data: bytes.toString('base64') }],
  }
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
