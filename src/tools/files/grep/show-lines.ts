/** The lines that were found, as the model is shown them. */
import { linesOf } from '../line-endings.ts'
import { streamLines } from '../line-stream.ts'
import { openFile, readAll, WHOLE_FILE_BYTES } from '../open-file.ts'
import { decodeText, PLAIN_FORM } from '../text-form.ts'
import type { Hit } from './engine.ts'

const LONGEST_SHOWN = 500
/** Of a long line, what stands before the match. */
const BEFORE_MATCH = 100
const SHOWN_OF_HUGE_FILES = 10_000

export async function showLines(path: string, hits: readonly Hit[], context: number): Promise<string> {
  const wanted = new Map(hits.map(hit => [hit.line, hit]))
  const around = new Set(
    hits.flatMap(({ line }) => Array.from({ length: 2 * context + 1 }, (_, at) => line - context + at)),
  )
  const lines = await linesAt(path, around).catch(() => new Map<number, string>())
  if (lines.size === 0) return '[It can no longer be read.]'
  const shown: string[] = []
  let last: number | undefined
  for (const [number, text] of [...lines].sort(([a], [b]) => a - b)) {
    if (context > 0 && last !== undefined && number > last + 1) shown.push('--')
    const hit = wanted.get(number)
    shown.push(`${number}${hit ? ':' : '-'}${windowOf(text.toWellFormed(), hit?.column ?? 0)}`)
    last = number
  }
  return shown.join('\n')
}

function windowOf(text: string, column: number): string {
  if (text.length <= LONGEST_SHOWN) return text
  const from = Math.max(0, Math.min(column - BEFORE_MATCH, text.length - LONGEST_SHOWN))
  const piece = text.slice(from, from + LONGEST_SHOWN).toWellFormed()
  return `${from > 0 ? '…' : ''}${piece}${from + LONGEST_SHOWN < text.length ? '…' : ''} [${text.length} characters]`
}

async function linesAt(path: string, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  await using file = await openFile(path)
  const found = new Map<number, string>()
  const bytes = file.stats.size > WHOLE_FILE_BYTES ? undefined : await readAll(file.handle)
  if (bytes) {
    const lines = linesOf(decodeText(bytes)?.text ?? '')
    for (const number of wanted) {
      const line = lines[number - 1]
      if (line !== undefined) found.set(number, line)
    }
    return found
  }
  const last = Math.max(...wanted)
  const options = { longest: SHOWN_OF_HUGE_FILES, signal: new AbortController().signal }
  for await (const batch of streamLines(file.handle, PLAIN_FORM, options)) {
    for (const { number, text } of batch) if (wanted.has(number)) found.set(number, text)
    if ((batch.at(-1)?.number ?? 0) >= last) break
  }
  return found
}
