/** Many processes saving memories at the same time: none is lost, and the index is right. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { assertRule } from './kill/scenario.ts'

const WRITER = fileURLToPath(new URL('writers/writer.ts', import.meta.url))
/** Lines of MEMORY.md at most (2-memory.md). */
const INDEX_LINES = 200

export interface WritersResult {
  memories: number
  indexed: number
  ms: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { processes: { type: 'string', default: '16' }, count: { type: 'string', default: '50' } },
  })
  const [processes, count] = [Number(values.processes), Number(values.count)]
  const { memories, indexed, ms } = await saveAtOnce(processes, count)
  process.stdout.write(
    `writers: ${processes} processes × ${count} saves: ${memories} memories, all recalled, ${indexed} in the index, doctor ok, ${(ms / 1000).toFixed(1)} s\n`,
  )
}

export async function saveAtOnce(processes: number, count: number): Promise<WritersResult> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-writers-'))
  const start = performance.now()
  const directory = join(root, 'memory')
  await Promise.all(Array.from({ length: processes }, (_, writer) => write(root, directory, writer, count)))
  const ms = performance.now() - start
  const total = processes * count
  using memory = await openMemory({ home: join(root, 'home'), project: root, memoryDir: directory })
  const files = readdirSync(directory).filter(name => name.endsWith('.md') && name !== 'MEMORY.md')
  assertRule(files.length === total, `${total} files exist (${files.length})`)
  assertRule((await memory.list()).length === total, `${total} memories are listed`)
  for (let writer = 0; writer < processes; writer++) {
    for (let number = 0; number < count; number++) {
      const [found] = await memory.recall(factOf(writer, number))
      assertRule(found?.name === `Fact ${factOf(writer, number)}`, `${factOf(writer, number)} is recalled`)
    }
  }
  const indexed = checkIndex(await memory.prompt(), total)
  const diagnosis = await memory.doctor()
  assertRule(diagnosis.ok, `doctor is content: ${JSON.stringify(diagnosis.problems.slice(0, 3))}`)
  rmSync(root, { recursive: true })
  return { memories: total, indexed, ms }
}

function checkIndex(prompt: string, total: number): number {
  assertRule(!prompt.includes('WARNING: MEMORY.md is too long'), 'the index is within its caps')
  const lines = prompt.match(/^- \[Fact /gm)?.length ?? 0
  // A full index has two lines of a heading, too.
  const most = Math.min(total, INDEX_LINES - 2)
  assertRule(lines === most, `the index is complete or full (${lines} of ${total})`)
  return lines
}

function write(root: string, directory: string, writer: number, count: number): Promise<void> {
  const child = spawn(process.execPath, [WRITER, root, directory, String(writer), String(count)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((done, failed) => {
    child.once('exit', code =>
      code === 0 ? done() : failed(new Error(`writer ${writer} ended with ${code}`)),
    )
  })
}

/** A word that no other memory has. */
export function factOf(writer: number, number: number): string {
  return `w${writer}n${number}q`
}
