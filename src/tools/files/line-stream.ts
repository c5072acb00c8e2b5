/** The lines of a file of any size, in bounded memory. */
import type { FileHandle } from 'node:fs/promises'
import { bomLength, type TextForm } from './text-form.ts'

export interface StreamedLine {
  number: number
  /** Its beginning, where it is longer than was asked for. */
  text: string
  length: number
}

const CHUNK_BYTES = 1024 * 1024
const DECODERS = {
  'UTF-8': 'utf-8',
  'UTF-16 LE': 'utf-16le',
  'UTF-16 BE': 'utf-16be',
  'Latin-1': 'latin1',
} as const

/** Batches of lines, each cut to `longest` characters. */
export async function* streamLines(
  handle: FileHandle,
  form: TextForm,
  { longest, signal }: { longest: number; signal: AbortSignal },
): AsyncGenerator<StreamedLine[]> {
  const decoder = new TextDecoder(DECODERS[form.encoding], { ignoreBOM: true })
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let position = bomLength(form)
  let number = 1
  let begun = { text: '', length: 0 }
  const take = (piece: string) => {
    begun.length += piece.length
    if (begun.text.length <= longest) begun.text += piece.slice(0, longest + 1)
  }
  const finish = (): StreamedLine => {
    const whole = begun.length <= longest && begun.text.endsWith('\r')
    const text = whole ? begun.text.slice(0, -1) : begun.text.slice(0, longest)
    const line = { number: number++, text, length: whole ? begun.length - 1 : begun.length }
    begun = { text: '', length: 0 }
    return line
  }
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) break
    position += bytesRead
    const [first = '', ...others] = decoder.decode(chunk.subarray(0, bytesRead), { stream: true }).split('\n')
    const lines: StreamedLine[] = []
    take(first)
    for (const piece of others) {
      lines.push(finish())
      take(piece)
    }
    yield lines
  }
  if (begun.length > 0) yield [finish()]
}
