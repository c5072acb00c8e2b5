/** What was visited, as text to read. */
import { STATUS_CODES } from 'node:http'
import type { Ending } from './body.ts'
import { decodeText } from './charset.ts'
import { LONGEST_HTML, readHtml } from './html.ts'
import { indentedJson } from './json-text.ts'
import { type Kind, kindOf, kindOfBytes, readMediaType, whatItIs } from './media-type.ts'
import { fenced, harmless } from './others-words.ts'
import { oneLine } from './plain-text.ts'
import type { Visited } from './visit.ts'

export interface Page {
  url: string
  status: number
  /** Harmless, as `text` is. */
  title: string | undefined
  text: string
  /** Sentences of ours about what is not as it was. */
  notes: readonly string[]
  /** There is no more of it than this. */
  isWhole: boolean
}

/** Whether a body of this type can be read as text. */
export function isReadable(contentType: string | undefined): boolean {
  return kindOf(readMediaType(contentType)) !== 'binary'
}

export async function toPage(visited: Visited, signal: AbortSignal): Promise<Page> {
  const { url, status, body } = visited
  const type = readMediaType(visited.contentType)
  const kind = body ? kindOfBytes(body.bytes, kindOf(type)) : 'binary'
  const page = { url: url.href, status, isWhole: body?.ending === 'whole' || body?.ending === 'too long' }
  if (!body || kind === 'binary') {
    const size = body?.ending === 'whole' ? body.bytes.length : visited.length
    const sized = size === undefined ? 'of a size that was not told' : `of ${inWords(size)}`
    return { ...page, title: undefined, text: '', notes: [`It is ${whatItIs(type)} ${sized}, not text.`] }
  }
  const decoded = decodeText(body.bytes, type.charset, body.ending !== 'whole')
  const { title, text, notes } = await asText(decoded, kind, url.href, signal)
  const ending = NOTES[body.ending]
  return {
    ...page,
    title: title && harmless(oneLine(title)).slice(0, LONGEST_TITLE),
    text: harmless(text),
    notes: [...(ending ? [ending(body.bytes.length)] : []), ...notes],
  }
}

const LONGEST_TITLE = 300

const NOTES: Record<Ending, ((bytes: number) => string) | undefined> = {
  whole: undefined,
  'too long': bytes => `It is longer than the ${inWords(bytes)} that were read.`,
  'too slow': bytes => `It came too slowly: only the first ${inWords(bytes)} arrived.`,
  broken: bytes => `The connection broke: only the first ${inWords(bytes)} arrived.`,
}

async function asText(decoded: string, kind: Exclude<Kind, 'binary'>, address: string, signal: AbortSignal) {
  if (kind === 'json') return { title: undefined, text: indentedJson(decoded), notes: [] }
  if (kind === 'text') return { title: undefined, text: decoded, notes: [] }
  const { title, text, isMarkdown } = await readHtml(decoded, address, signal)
  const notes: string[] = []
  if (decoded.length > LONGEST_HTML) notes.push('The page is very long: its end was left out.')
  if (!isMarkdown) notes.push('Only its plain words are shown: its markup is too much to follow.')
  if (text.trim() === '') notes.push('The page itself holds no text; scripts may add it in a browser.')
  return { title, text, notes }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

function inWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`
}

/** With what is said about it, within the limit of a result (4-agent.md). */
const SHOWN_AT_ONCE = 95_000
const LONGEST_ADDRESS = 1_000

/** Nothing that the other side wrote stands outside the fence but its address. */
export function showPage({ url, status, title, text, notes }: Page, offset: number): string {
  const end = endOfPart(text, offset)
  const shown = text.slice(offset, end)
  const about = [
    `${url.slice(0, LONGEST_ADDRESS)} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim().concat('.'),
    ...notes,
    ...(shown.length < text.length ? [partOf(text.length, offset, end)] : []),
  ]
  const titled = title ? `Title: ${title}\n\n${shown}` : shown
  return titled === '' ? about.join(' ') : `${about.join(' ')}\n${fenced(titled)}`
}

function partOf(length: number, offset: number, end: number): string {
  if (offset >= length) return `It ends at character ${length}: there is nothing at offset ${offset}.`
  const part = `These are characters ${offset} to ${end} of ${length}.`
  return end < length ? `${part} To read on, fetch it again with offset ${end}.` : part
}

/** Not within a pair that makes one character; at the end of a line where there is one near. */
function endOfPart(text: string, offset: number): number {
  const most = offset + SHOWN_AT_ONCE
  if (most >= text.length) return Math.max(offset, text.length)
  const line = text.lastIndexOf('\n', most)
  if (line > most - SHOWN_AT_ONCE / 10) return line + 1
  return text.codePointAt(most - 1) !== text.charCodeAt(most - 1) ? most - 1 : most
}
