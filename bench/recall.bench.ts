/** How much of what a question needs is brought back, on LoCoMo conversations, with no model. */
import { cpus } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import MiniSearch from 'minisearch'
import { FtsIndex } from '../src/search/index.ts'
import { type LocomoConversation, type LocomoQuestion, readLocomo } from './recall-locomo.ts'
import { percentile, round } from './report.ts'

type Found = { turns: string[]; sessions: string[] }
type Search = (query: string) => Found
type Score = { category: number; conversation: string; r5: number; r10: number; t10: number; ms: number }

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, json: { type: 'boolean' } } })
  if (!values.data) {
    process.stderr.write(
      'usage: npm run bench -- recall --data FILE [--json], where FILE holds LoCoMo conversations\n',
    )
    process.exitCode = 2
    return
  }
  const conversations = readLocomo(values.data)
  const ours = conversations.flatMap(conversation => evaluate(conversation, openReverie(conversation)))
  const summary = {
    sessionR5: percent(ours, 'r5'),
    sessionR10: percent(ours, 'r10'),
    turnR10: percent(ours, 't10'),
    p50ms: round(
      percentile(
        ours.map(({ ms }) => ms),
        0.5,
      ),
      3,
    ),
    questions: ours.length,
  }
  if (values.json) {
    process.stdout.write(`${JSON.stringify(summary)}\n`)
    return
  }
  const peer = conversations.flatMap(conversation => evaluate(conversation, openMiniSearch(conversation)))
  print(conversations, ours, peer)
}

function openReverie({ turns }: LocomoConversation): Search {
  const index = new FtsIndex(new DatabaseSync(':memory:'), {
    name: 'turns',
    fields: { speaker: 1, text: 1, date: 1 },
  })
  index.put(turns)
  return query => {
    const { hits, groups } = index.search(query, { limit: 10, groupLimit: 10 })
    return { turns: hits.map(({ id }) => id), sessions: groups.map(({ group }) => group) }
  }
}

/** Plain BM25 as it comes: turns by their own score, sessions as documents of their own. */
function openMiniSearch({ turns }: LocomoConversation): Search {
  const byTurn = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] })
  const bySession = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] })
  const sessions = new Map<string, string>()
  for (const { id, group = '', fields } of turns) {
    const text = Object.values(fields).join('\n')
    byTurn.add({ id, text })
    sessions.set(group, `${sessions.get(group) ?? ''}\n${text}`)
  }
  for (const [id, text] of sessions) bySession.add({ id, text })
  const ids = (index: MiniSearch, query: string): string[] =>
    index
      .search(query)
      .slice(0, 10)
      .map(({ id }) => String(id))
  return query => ({ turns: ids(byTurn, query), sessions: ids(bySession, query) })
}

function evaluate(conversation: LocomoConversation, search: Search): Score[] {
  return conversation.questions.map(question => {
    const start = performance.now()
    const found = search(question.text)
    return { ...recall(question, found), conversation: conversation.name, ms: performance.now() - start }
  })
}

function recall(question: LocomoQuestion, found: Found): Pick<Score, 'category' | 'r5' | 'r10' | 't10'> {
  const share = (named: string[], brought: string[]): number =>
    named.filter(id => brought.includes(id)).length / named.length
  return {
    category: question.category,
    r5: share(question.sessions, found.sessions.slice(0, 5)),
    r10: share(question.sessions, found.sessions.slice(0, 10)),
    t10: share(question.turns, found.turns.slice(0, 10)),
  }
}

function print(conversations: LocomoConversation[], ours: Score[], peer: Score[]): void {
  const line = (name: string, scores: Score[]): string =>
    [
      name.padEnd(34),
      String(scores.length).padStart(9),
      ...(['r5', 'r10', 't10'] as const).map(key => percent(scores, key).toFixed(1).padStart(12)),
      percentile(
        scores.map(({ ms }) => ms),
        0.5,
      )
        .toFixed(2)
        .padStart(9),
    ].join('')
  const lines = [
    `${'recall, no model'.padEnd(34)}questions session R@5 session R@10 turn R@10   p50 ms`,
    line('Reverie', ours),
    line('MiniSearch (plain BM25, defaults)', peer),
    '',
    ...distinct(ours.map(({ category }) => category)).map(category =>
      line(
        `  category ${category}`,
        ours.filter(score => score.category === category),
      ),
    ),
    '',
    ...conversations.map(({ name }) =>
      line(
        `  ${name}`,
        ours.filter(score => score.conversation === name),
      ),
    ),
    ...conversations.map(({ name }) =>
      line(
        `  all but ${name}`,
        ours.filter(score => score.conversation !== name),
      ),
    ),
    '',
    `evidence that names no turn: ${conversations.reduce((sum, { unparsable }) => sum + unparsable.length, 0)}`,
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function percent(scores: Score[], key: 'r5' | 'r10' | 't10'): number {
  return round((100 * scores.reduce((sum, score) => sum + score[key], 0)) / Math.max(scores.length, 1), 2)
}

function distinct(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
