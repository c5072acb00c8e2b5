import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { ReverieError } from '../../../store/index.ts'
import { decodeUtf8, isBinary, SAMPLE_BYTES } from '../text-form.ts'
import { type GrepEngine, type GrepQuery, type Hit, MOST_MULTILINE_BYTES } from './engine.ts'

/** It could not search: not there, or it does not take the pattern after all. */
export class RipgrepFailed extends ReverieError {}

export async function hasRipgrep(program = 'rg'): Promise<boolean> {
  try {
    const child = spawn(program, ['--version'], { stdio: 'ignore' })
    const [code] = await once(child, 'close')
    return code === 0
  } catch {
    return false
  }
}

/** Given nothing but files and a pattern: what it would ignore or take for binary is decided by us. */
export function ripgrep(program = 'rg'): GrepEngine {
  return async (files, query, signal) => {
    const hits = new Map<string, readonly Hit[]>()
    if (files.length === 0) return { hits, tooSlow: [] }
    const found = await run(program, files, query, signal)
    for (const [file, lines] of found) if (!(await isBinaryFile(file))) hits.set(file, lines)
    return { hits, tooSlow: [] }
  }
}

function argumentsFor(files: readonly string[], { rust, multiline, mostPerFile }: GrepQuery): string[] {
  // Counting in units that are not lines when matches span several, it is not told where to stop there.
  const most =
    Number.isFinite(mostPerFile) && (!multiline || mostPerFile === 1) ? [`--max-count=${mostPerFile}`] : []
  const across = multiline ? ['--multiline', `--max-filesize=${MOST_MULTILINE_BYTES}`] : []
  return ['--no-config', '--json', '--text', '--no-messages', ...most, ...across, '-e', rust, '--', ...files]
}

async function run(program: string, files: readonly string[], query: GrepQuery, signal: AbortSignal) {
  signal.throwIfAborted()
  const child = spawn(program, argumentsFor(files, query), { stdio: ['ignore', 'pipe', 'ignore'] })
  const failed = once(child, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const found = new Map<string, Hit[]>()
  let finished = false
  try {
    const reading = (async () => {
      for await (const line of linesFrom(child.stdout)) finished = takeEvent(line, found) || finished
    })()
    await Promise.race([reading, failed])
  } catch (error) {
    stop()
    throw new RipgrepFailed('ripgrep could not be run.', { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
  if (!finished) throw new RipgrepFailed('ripgrep ended before it had searched everything.')
  return found
}

async function* linesFrom(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)])
      pieces = []
      from = at + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
}

/** Text, or bytes in base 64 where it is not UTF-8. */
type Data = { text: string } | { bytes: string }

interface Event {
  type: string
  data: { path: Data; lines: Data; line_number: number; submatches: Array<{ start: number }> }
}

/** True for the last one. */
function takeEvent(line: Buffer, found: Map<string, Hit[]>): boolean {
  const { type, data }: Event = JSON.parse(line.toString('utf8'))
  if (type !== 'match') return type === 'summary'
  const file = toBytes(data.path).toString('utf8')
  const hits = found.get(file) ?? []
  hits.push(
    ...hitsOf(
      toBytes(data.lines),
      data.line_number,
      data.submatches.map(({ start }) => start),
    ),
  )
  found.set(file, hits)
  return false
}

function hitsOf(lines: Buffer, first: number, starts: readonly number[]): Hit[] {
  const hits: Hit[] = []
  for (let [from, line] = [0, first]; from < lines.length || from === 0; line++) {
    const newline = lines.indexOf(0x0a, from)
    const end = newline < 0 ? lines.length : newline
    const start = starts.find(at => at >= from && at <= end)
    const column = start === undefined ? 0 : decodeUtf8(lines.subarray(from, start)).length
    hits.push({ line, column })
    from = end + 1
  }
  return hits
}

function toBytes(data: Data): Buffer {
  return 'text' in data ? Buffer.from(data.text, 'utf8') : Buffer.from(data.bytes, 'base64')
}

async function isBinaryFile(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const sample = Buffer.alloc(SAMPLE_BYTES)
  const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, 0)
  return isBinary(sample.subarray(0, bytesRead))
}
