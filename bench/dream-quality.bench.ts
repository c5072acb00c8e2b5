/** What the embedded mind finds and mends in memory directories with planted faults, beside plain word overlap. */
import { parseArgs } from 'node:util'
import { consolidate, type Dreamed, type DreamMaterial } from '../src/dream/index.ts'
import { queryTerms } from '../src/search/index.ts'
import { DEV_BANK } from './dream-quality/dev-bank.ts'
import { HELD_OUT_BANK } from './dream-quality/held-out-bank.ts'
import { plant } from './dream-quality/plant.ts'
import { add, type Scores, score } from './dream-quality/score.ts'
import { printTable, round } from './report.ts'

/** What 7-bars.md asks, in percent. */
const BARS: Readonly<Record<string, number>> = {
  'facts kept': 100,
  exact: 100,
  dangling: 100,
  relative: 100,
  caps: 100,
  'long-line': 100,
  secret: 100,
  reworded: 80,
  'duplicate precision': 95,
  changed: 80,
  'contradiction precision': 95,
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      bank: { type: 'string', default: 'both' },
      directories: { type: 'string', default: '10' },
      /** The first of as many seeds as there are directories. */
      seed: { type: 'string', default: '1' },
      misses: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  const banks = [DEV_BANK, HELD_OUT_BANK].filter(({ name }) => values.bank === 'both' || values.bank === name)
  const results: Record<string, Record<string, number>> = {}
  for (const bank of banks) {
    const [ours, plain]: [Scores, Scores] = [new Map(), new Map()]
    const start = performance.now()
    let memories = 0
    const first = Number(values.seed)
    for (let seed = first; seed < first + Number(values.directories); seed++) {
      const garden = plant(bank, seed)
      memories += garden.material.memories.length
      add(ours, score(garden, await consolidate(garden.material)))
      add(plain, score(garden, byOverlap(garden.material)))
    }
    const ms = performance.now() - start
    results[bank.name] = Object.fromEntries([...ours].map(([name, tally]) => [name, share(tally)]))
    if (values.json) continue
    const rows = [...ours].map(([name, tally]) => ({
      what: name,
      embedded: share(tally),
      'word overlap': share(plain.get(name)),
      must: BARS[name] ?? '',
      of: tally.of,
    }))
    printTable(
      `Dream quality, ${bank.name} bank, ${values.directories} directories from seed ${first}, ${memories} memories, ${round(ms, 0)} ms, percent`,
      rows,
    )
    if (values.misses)
      for (const [name, { misses }] of ours)
        for (const miss of new Set(misses)) console.log(`${name}: ${miss}`)
  }
  if (values.json) console.log(JSON.stringify(results))
}

function share(tally: { right: number; of: number } | undefined): number {
  return tally ? round((100 * tally.right) / tally.of, 1) : Number.NaN
}

/** The yardstick: memories of which most words are the same are one. */
const OVERLAP = 0.6

function byOverlap({ memories }: DreamMaterial): Dreamed {
  const words = new Map(
    memories.map(({ file, body }) => [file, new Set(queryTerms(body).map(({ term }) => term))]),
  )
  const gone = new Set<string>()
  const findings: Dreamed['findings'][number][] = []
  for (const [at, { file }] of memories.entries())
    for (const { file: other } of memories.slice(at + 1)) {
      const [a, b] = [words.get(file) ?? new Set(), words.get(other) ?? new Set()]
      if (gone.has(file) || gone.has(other) || a.union(b).size === 0) continue
      if (a.intersection(b).size / a.union(b).size < OVERLAP) continue
      gone.add(file)
      findings.push({ kind: 'duplicate', files: [file, other], detail: '' })
    }
  const changes = [...gone].map(file => ({ file, text: null, action: 'remove' as const, reason: 'overlap' }))
  return { changes, findings, learnt: [], letGo: [] }
}
