/** Ranked search over sessions beside a scan of the same files by ripgrep. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SessionIndex } from '../src/session/index.ts'
import { randomFrom } from '../torture/random.ts'
import { percentile, printTable, round } from './report.ts'
import { writeSessionFiles } from './session-files.ts'
import { SessionWords } from './session-words.ts'

const SEED = 5
const QUERY_SEED = 11
const QUERIES = 100
/** A scan of a gigabyte takes a while. */
const SCANS = 5
const HITS = 10

type Kind = 'rare word' | 'two words' | 'question' | 'question, one project' | 'question, one month'

interface Measured {
  openMs: number
  rssMB: number
  kinds: Record<Kind, { firstMs: number; times: number[]; hits: number }>
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { mb: { type: 'string', default: '1000' }, json: { type: 'boolean' } },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-search-'))
  try {
    const projects = join(root, 'projects')
    const cache = join(root, 'cache')
    const { files, bytes, messages } = await writeSessionFiles(projects, {
      megabytes: Number(values.mb),
      seed: SEED,
    })
    await build(projects, cache)
    const indexBytes = statSync(join(cache, 'sessions.sqlite')).size
    const argv = [import.meta.filename, projects, cache]
    const measured: Measured = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }))
    const scans = scanTimes(projects)
    const rows = Object.entries(measured.kinds).map(([kind, { firstMs, times, hits }]) => {
      const scan = scans?.[kind as Kind]
      return {
        query: kind,
        'first ms': round(firstMs, 1),
        'p50 ms': round(percentile(times, 0.5), 1),
        'p95 ms': round(percentile(times, 0.95), 1),
        'hits each': round(hits / QUERIES, 1),
        'ripgrep ms': scan === undefined ? '' : round(scan, 0),
        'over ripgrep': scan === undefined ? '' : round(scan / percentile(times, 0.5), 1),
      }
    })
    const about = {
      bytes,
      files: files.length,
      messages,
      indexMB: round(indexBytes / 1e6, 0),
      openMs: round(measured.openMs, 1),
      rssMB: round(measured.rssMB, 0),
    }
    if (values.json) console.log(JSON.stringify({ ...about, rows }))
    else
      printTable(
        `${round(bytes / 1e6, 0)} MB in ${files.length} sessions, ${messages} messages, index ${about.indexMB} MB. In a process of its own, files cached by the system: opened in ${about.openMs} ms, then each kind's first query, then ${QUERIES - 1} others; RSS ${about.rssMB} MB at the end.${scans ? '' : ' ripgrep (rg) is not installed.'}`,
        rows,
      )
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function build(projects: string, cache: string): Promise<void> {
  using index = SessionIndex.open({ projects, cache })
  const { problem } = await index.refresh()
  if (problem) throw new Error(problem)
}

function queries(): Record<Kind, string[]> {
  const words = new SessionWords(randomFrom(QUERY_SEED))
  const make = (query: () => string): string[] => Array.from({ length: QUERIES }, query)
  return {
    'rare word': make(() => words.rareWord()),
    'two words': make(() => `${words.middlingWord()} ${words.everydayWord()}`),
    question: make(() => words.naturalQuestion()),
    'question, one project': make(() => words.naturalQuestion()),
    'question, one month': make(() => words.naturalQuestion()),
  }
}

if (import.meta.main) {
  const [projects = '', cache = ''] = process.argv.slice(2)
  console.log(JSON.stringify(await measure(projects, cache)))
}

async function measure(projects: string, cache: string): Promise<Measured> {
  const start = performance.now()
  using index = SessionIndex.open({ projects, cache })
  const openMs = performance.now() - start
  const limits: Partial<Record<Kind, object>> = {
    'question, one project': { project: 'project-3' },
    'question, one month': { since: new Date('2024-06-01'), before: new Date('2024-07-01') },
  }
  const kinds = {} as Measured['kinds']
  for (const [kind, asked] of Object.entries(queries()) as [Kind, string[]][]) {
    const times: number[] = []
    let hits = 0
    for (const query of asked) {
      const begun = performance.now()
      hits += (await index.search(query, { limit: HITS, ...limits[kind] })).length
      times.push(performance.now() - begun)
    }
    const [firstMs = 0, ...others] = times
    kinds[kind] = { firstMs, times: others, hits }
  }
  return { openMs, kinds, rssMB: process.memoryUsage.rss() / 2 ** 20 }
}

/** Medians. A question is any of its words to ripgrep, which ranks nothing. Undefined where it is not installed. */
function scanTimes(projects: string): Partial<Record<Kind, number>> | undefined {
  if (spawnSync('rg', ['--version']).error) return undefined
  const median = (asked: string[]): number =>
    percentile(
      asked.slice(0, SCANS).map(query => {
        const start = performance.now()
        const pattern = query.replaceAll(/[^\w ]/g, '').replaceAll(' ', '|')
        spawnSync('rg', ['--ignore-case', '--count', '--no-messages', pattern, projects])
        return performance.now() - start
      }),
      0.5,
    )
  const { 'rare word': rare, 'two words': two, question } = queries()
  return { 'rare word': median(rare), 'two words': median(two), question: median(question) }
}
