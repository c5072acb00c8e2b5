/** One engine in a process of its own, so that its memory is its own: `node recall-engine.ts ENGINE STEP COUNT FILE`. */
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { FtsIndex } from '../src/search/index.ts'
import { stem } from '../src/search/porter.ts'
import { isStopWord } from '../src/search/stop-words.ts'
import { MemoryWriter } from './recall-memories.ts'
import { percentile } from './report.ts'

export type Engine = 'reverie' | 'minisearch' | 'minisearch-stemmed'
export type Step = 'build' | 'query'
export type Measured = { buildMs: number; p50ms: number; p99ms: number; rssMB: number }

const MEMORY_SEED = 7
const QUESTION_SEED = 11
const QUESTIONS = 200
const WARM_UP = 20
const BATCH = 2_000
const FIELDS = { name: 3, description: 2, body: 1, hook: 1.5 }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [engine = '', step = '', count = '', file = ''] = process.argv.slice(2)
  const measured = measure(engine as Engine, step as Step, Number(count), file)
  process.stdout.write(JSON.stringify(measured))
}

function measure(engine: Engine, step: Step, count: number, file: string): Measured {
  const start = performance.now()
  const search = engine === 'reverie' ? openReverie(step, count, file) : buildMiniSearch(engine, count)
  const buildMs = performance.now() - start
  const times = step === 'query' ? timeQuestions(search) : []
  globalThis.gc?.()
  return {
    buildMs,
    p50ms: percentile(times, 0.5),
    p99ms: percentile(times, 0.99),
    rssMB: process.memoryUsage.rss() / 2 ** 20,
  }
}

function openReverie(step: Step, count: number, file: string): (query: string) => unknown {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  const index = new FtsIndex(database, { name: 'memories', fields: FIELDS })
  if (step === 'build') {
    const writer = new MemoryWriter(MEMORY_SEED)
    for (let done = 0; done < count; done += BATCH) {
      index.put(Array.from({ length: Math.min(BATCH, count - done) }, (_, at) => writer.memory(done + at)))
    }
  }
  return query => index.search(query, { limit: 5 })
}

function buildMiniSearch(engine: Engine, count: number): (query: string) => unknown {
  const processTerm = (word: string): string | false => {
    const lower = word.toLowerCase()
    return isStopWord(lower) ? false : stem(lower)
  }
  const index = new MiniSearch({
    fields: Object.keys(FIELDS),
    searchOptions: { boost: FIELDS },
    ...(engine === 'minisearch-stemmed' && { processTerm }),
  })
  const writer = new MemoryWriter(MEMORY_SEED)
  for (let at = 0; at < count; at++) {
    const { id, fields } = writer.memory(at)
    index.add({ id, ...fields })
  }
  return query => index.search(query).slice(0, 5)
}

function timeQuestions(search: (query: string) => unknown): number[] {
  const writer = new MemoryWriter(QUESTION_SEED)
  const questions = Array.from({ length: QUESTIONS }, (_, at) => writer.question(at))
  for (const question of questions.slice(0, WARM_UP)) search(question)
  return questions.map(question => {
    const start = performance.now()
    search(question)
    return performance.now() - start
  })
}
