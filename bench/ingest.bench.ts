/**
 * How fast sessions become searchable, beside the plain loop: JSON.parse each line and insert each message into an
 * FTS5 table. Each is run in a process of its own, taking turns.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { type Message, SessionIndex } from '../src/session/index.ts'
import { percentile, printTable, round } from './report.ts'
import { writeSessionFiles } from './session-files.ts'

const ENGINES = ['reverie', 'plain', 'plain, capped'] as const
type Engine = (typeof ENGINES)[number]

interface Measured {
  ms: number
  /** Of all threads together. */
  cpuMs: number
  messages: number
  indexBytes: number
  /** The most memory that the process had at a time. */
  rssMB: number
}

/** What Reverie searches of a tool's result and of a call (src/session/search/turn-text.ts), in characters. */
const RESULT_CAP = 2_048
const CALL_CAP = 500
const INSERTS_PER_TRANSACTION = 1_000
const SEED = 5

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      mb: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '3' },
      json: { type: 'boolean' },
    },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-ingest-'))
  try {
    const projects = join(root, 'projects')
    const { files, bytes, messages } = await writeSessionFiles(projects, {
      megabytes: Number(values.mb),
      seed: SEED,
    })
    const measured = new Map(ENGINES.map(engine => [engine, [] as Measured[]]))
    for (let at = 0; at < Number(values.rounds); at++)
      for (const engine of ENGINES) measured.get(engine)?.push(inOwnProcess(engine, projects, root))
    const median = (engine: Engine, what: 'ms' | 'cpuMs' = 'ms'): number =>
      percentile(measured.get(engine)?.map(one => one[what]) ?? [], 0.5)
    const rows = ENGINES.map(engine => {
      const [one] = measured.get(engine) ?? []
      return {
        engine,
        seconds: round(median(engine) / 1_000, 1),
        'CPU seconds': round(median(engine, 'cpuMs') / 1_000, 1),
        'MB/s': round(bytes / 1e6 / (median(engine) / 1_000), 1),
        'over plain': round(median('plain') / median(engine)),
        'over plain, capped': round(median('plain, capped') / median(engine)),
        'index MB': round((one?.indexBytes ?? 0) / 1e6, 0),
        'RSS MB': round(Math.max(...(measured.get(engine) ?? []).map(({ rssMB }) => rssMB)), 0),
      }
    })
    const found = measured.get('reverie')?.[0]?.messages
    if (found !== messages) throw new Error(`${messages} messages were written, ${found} indexed`)
    if (values.json) console.log(JSON.stringify({ bytes, files: files.length, messages, rows }))
    else
      printTable(
        `${round(bytes / 1e6, 0)} MB in ${files.length} sessions, ${messages} messages; median of ${values.rounds}. "plain" inserts each message whole, "plain, capped" only what Reverie searches of it.`,
        rows,
      )
  } finally {
    rmSync(root, { recursive: true })
  }
}

function inOwnProcess(engine: Engine, projects: string, root: string): Measured {
  const cache = join(root, 'cache')
  try {
    const arguments_ = [import.meta.filename, engine, projects, cache]
    return JSON.parse(execFileSync(process.execPath, arguments_, { encoding: 'utf8' }))
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [engine = '', projects = '', cache = ''] = process.argv.slice(2)
  const measured =
    engine === 'reverie'
      ? await indexSessions(projects, cache)
      : insertPlainly(projects, cache, engine === 'plain, capped')
  console.log(JSON.stringify(measured))
}

async function indexSessions(projects: string, cache: string): Promise<Measured> {
  const start = performance.now()
  const index = SessionIndex.open({ projects, cache })
  const { turns, problem } = await index.refresh()
  index[Symbol.dispose]() // all is in the file then
  if (problem) throw new Error(problem)
  return toMeasured(start, turns, join(cache, 'sessions.sqlite'))
}

function insertPlainly(projects: string, cache: string, capped: boolean): Measured {
  const start = performance.now()
  const path = `${cache}.sqlite`
  using db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE VIRTUAL TABLE turns USING fts5(text, content='', tokenize='porter unicode61'); BEGIN`)
  const insert = db.prepare('INSERT INTO turns (rowid, text) VALUES (?, ?)')
  let messages = 0
  for (const file of globSync(`${projects}/*/sessions/*.jsonl`)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue
      const record = JSON.parse(line)
      if (record.kind !== 'message') continue
      insert.run(++messages, textOf(record, capped))
      if (messages % INSERTS_PER_TRANSACTION === 0) db.exec('COMMIT; BEGIN')
    }
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  const measured = toMeasured(start, messages, path)
  rmSync(path)
  return measured
}

function textOf({ parts }: Message, capped: boolean): string {
  const texts = parts.flatMap(part => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'tool-call') {
      const input = Object.values(part.input as Record<string, string>).join(' ')
      return [part.tool, capped ? input.slice(0, CALL_CAP) : input]
    }
    if (part.type !== 'tool-result') return []
    const text = part.content.map(content => (content.type === 'text' ? content.text : '')).join('\n')
    return [capped ? text.slice(0, RESULT_CAP) : text]
  })
  return texts.join('\n')
}

function toMeasured(start: number, messages: number, path: string): Measured {
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage()
  return {
    ms,
    cpuMs: (user + system) / 1_000,
    messages,
    indexBytes: statSync(path).size,
    rssMB: process.resourceUsage().maxRSS / 1024,
  }
}
