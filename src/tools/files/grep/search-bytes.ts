/** Our own search in one file. Runs in a thread of its own, where it may take long. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { bomLength, decodeBody, decodeUtf8, formOf, isBinary, SAMPLE_BYTES } from '../text-form.ts'
import { type GrepQuery, type Hit, MOST_MULTILINE_BYTES } from './engine.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

export type SearchQuery = Pick<GrepQuery, 'multiline' | 'mostPerFile'>

/** `beat` is called over and over, for whoever watches whether it still goes on. */
export function searchFile(path: string, regex: RegExp, query: SearchQuery, beat: () => void): Hit[] {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return []
    const sample = Buffer.alloc(SAMPLE_BYTES)
    const beginning = sample.subarray(0, readSync(file, sample, 0, SAMPLE_BYTES, 0))
    if (isBinary(beginning)) return []
    const form = formOf(beginning)
    const wide = form?.encoding.startsWith('UTF-16') === true
    const skipped = form ? bomLength(form) : 0
    if (!query.multiline && !wide) return searchChunks(file, skipped, regex, query, beat)
    if (stats.size > MOST_MULTILINE_BYTES) return []
    const body = readFrom(file, skipped)
    const text = wide && form ? decodeBody(body, form.encoding).toWellFormed() : decodeUtf8(body)
    return query.multiline
      ? searchAcross(text, regex, query.mostPerFile, beat)
      : searchLines(text, 1, regex, query.mostPerFile, beat).hits
  } finally {
    closeSync(file)
  }
}

function readFrom(file: number, from: number): Buffer {
  const chunks: Buffer[] = []
  for (let position = from; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const read = readSync(file, chunk, 0, chunk.length, position)
    if (read === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, read))
    position += read
  }
}

/** Line by line in bounded memory, however large the file is. */
function searchChunks(
  file: number,
  from: number,
  regex: RegExp,
  { mostPerFile }: SearchQuery,
  beat: () => void,
): Hit[] {
  const hits: Hit[] = []
  let rest = Buffer.alloc(0)
  let line = 1
  for (let position = from; hits.length < mostPerFile; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const read = readSync(file, chunk, 0, chunk.length, position)
    position += read
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
    const end = read === 0 ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      const found = searchLines(
        decodeUtf8(bytes.subarray(0, end)),
        line,
        regex,
        mostPerFile - hits.length,
        beat,
      )
      hits.push(...found.hits)
      line = found.next
    }
    rest = bytes.subarray(end)
    if (read === 0) break
  }
  return hits
}

function searchLines(text: string, first: number, regex: RegExp, most: number, beat: () => void) {
  const hits: Hit[] = []
  let line = first
  for (let from = 0; from < text.length && hits.length < most; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    regex.lastIndex = 0
    const match = regex.exec(text.slice(from, end))
    if (match) hits.push({ line, column: match.index })
    from = end + 1
    beat()
  }
  return { hits, next: line }
}

/** In the whole text at once. */
function searchAcross(text: string, regex: RegExp, most: number, beat: () => void): Hit[] {
  const hits: Hit[] = []
  let [line, lineStart] = [1, 0]
  regex.lastIndex = 0
  for (let match = regex.exec(text); match && hits.length < most; match = regex.exec(text)) {
    beat()
    const [start, end] = [match.index, match.index + match[0].length]
    // Nothing stands after the last line end.
    if (start === text.length && (text === '' || text.endsWith('\n'))) break
    for (
      let next = text.indexOf('\n', lineStart);
      next >= 0 && next < start;
      next = text.indexOf('\n', lineStart)
    ) {
      line++
      lineStart = next + 1
    }
    if (hits.at(-1)?.line !== line && (hits.at(-1)?.line ?? 0) < line)
      hits.push({ line, column: start - lineStart })
    // The later lines of a match; where it ends with a line end, the next line is not part of it.
    let at = line
    for (
      let next = text.indexOf('\n', start);
      next >= 0 && next < end - 1;
      next = text.indexOf('\n', next + 1)
    ) {
      at++
      if ((hits.at(-1)?.line ?? 0) < at) hits.push({ line: at, column: 0 })
    }
    if (end === start) regex.lastIndex = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
  }
  return hits.slice(0, most)
}
