import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Journal } from '../src/store/index.ts'
import { MemoryWriter } from './recall-memories.ts'
import { percentile, printTable, round } from './report.ts'

/** Committing one changed memory among many, over the same among few. */
const ROUNDS = 40
const FEW = 10

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '10000' }, json: { type: 'boolean' } },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const many = Number(values.count)
    const journals = new Map<number, Journal>()
    const filled = new Map<number, number>()
    for (const count of [FEW, many]) {
      const start = performance.now()
      journals.set(count, await filledJournal(join(root, String(count)), count))
      filled.set(count, performance.now() - start)
    }
    const times = await commitInTurn(journals)
    const bare = percentile(times.get(FEW) ?? [], 0.5)
    const rows = [...times].map(([memories, all]) => {
      const median = percentile(all, 0.5)
      return {
        memories,
        'first commit ms': round(filled.get(memories) ?? 0, 0),
        'median ms': round(median, 1),
        [`over ${FEW}`]: round(median / bare),
      }
    })
    if (values.json) console.log(JSON.stringify(rows))
    else printTable(`Commit of one changed memory, ${ROUNDS} each`, rows)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function filledJournal(home: string, count: number): Promise<Journal> {
  mkdirSync(home)
  const journal = new Journal({ home })
  const writer = new MemoryWriter(7)
  const changes = Array.from({ length: count }, (_, number) => ({
    path: `memory/user_${number}.md`,
    after: Buffer.from(Object.values(writer.memory(number).fields).join('\n')),
  }))
  await journal.commit({ message: 'Fill', kind: 'save', changes })
  return journal
}

async function commitInTurn(journals: ReadonlyMap<number, Journal>): Promise<Map<number, number[]>> {
  const times = new Map([...journals.keys()].map(count => [count, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [count, journal] of journals) {
      const path = `memory/user_${(round * 7919) % count}.md`
      const start = performance.now()
      await journal.commit({
        message: 'Change',
        kind: 'save',
        changes: [{ path, after: Buffer.from(`round ${round}\n`) }],
      })
      if (round > 0) times.get(count)?.push(performance.now() - start)
    }
  }
  return times
}
