/**
 * What making room costs and what survives it: a session of 2,000 messages summarised without a model, and the memory
 * of a process that talks for 2,000 turns in a window of 8,000 tokens.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { compactConversation } from '../src/agent/summarise.ts'
import { DEFAULTS, homeAt } from '../src/config/index.ts'
import { estimateMessages, estimateText, limitsFor } from '../src/context/index.ts'
import { openModel } from '../src/models/index.ts'
import { startFakeProvider } from '../src/models/wire.fixture.ts'
import { History, type Message, newMessageId, Sessions } from '../src/session/index.ts'
import { printTable, round } from './report.ts'

const MESSAGES = 2_000
/** One fact in so many exchanges; the rest is what is asked and answered. */
const FACT_EVERY = 50
const WINDOW = 8_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, turns: { type: 'string', default: '2000' } },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-compaction-'))
  try {
    const summarised = await summarise(root)
    const talked = await talk(root, Number(values.turns))
    if (values.json) console.log(JSON.stringify({ summarised, talked }))
    else {
      printTable(`a session of ${MESSAGES} messages, made shorter without a model`, [summarised])
      printTable(`${values.turns} turns in a window of ${WINDOW} tokens`, talked)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function summarise(root: string) {
  const messages = conversation()
  const sessions = new Sessions(homeAt(join(root, 'home')), { slug: 'p' })
  await using transcript = sessions.create()
  const appending = performance.now()
  await transcript.append(...messages)
  const appended = performance.now() - appending
  const model = await openModel('embedded', DEFAULTS, {})
  const limits = limitsFor(model)
  const history = new History(join(root, 'memory'))
  const started = performance.now()
  const options = {
    limits,
    keep: limits.compactAt / 8,
    history,
    transcript,
    notice() {},
    now: () => new Date(),
  }
  const signal = new AbortController().signal
  let rounds = 0
  let state: { messages: readonly Message[]; summary: string | undefined } = { messages, summary: undefined }
  while (estimateMessages(state.messages) > options.keep) {
    const done = await compactConversation(state, { ...options, signal, model: async () => model })
    if (!done) break
    state = done
    rounds++
  }
  const ms = performance.now() - started
  const left = `${state.summary}\n${JSON.stringify(state.messages)}`
  const facts = Array.from({ length: MESSAGES / 2 / FACT_EVERY }, (_, at) => factOf(at))
  return {
    'tokens before': estimateMessages(messages),
    'tokens after': estimateMessages(state.messages) + estimateText(state.summary ?? ''),
    calls: rounds,
    ms: round(ms),
    'as a multiple of writing the session': round(ms / appended, 1),
    'facts kept': `${facts.filter(fact => left.includes(fact)).length} of ${facts.length}`,
  }
}

function factOf(at: number): string {
  return `service number ${at} listens on port ${8_000 + at}`
}

function conversation(): Message[] {
  return Array.from({ length: MESSAGES / 2 }, (_, at): Message[] => {
    const fact = at % FACT_EVERY === 0 ? `Remember that ${factOf(at / FACT_EVERY)}. ` : ''
    const asked = `${fact}Please look at step ${at} and tell me what is missing in it.`
    return [
      message('user', asked),
      message('assistant', `Step ${at} is fine. ${'It does what it should. '.repeat(15)}`),
    ]
  }).flat()
}

function message(role: 'user' | 'assistant', text: string): Message {
  const origin = role === 'user' ? 'person' : 'model'
  return { id: newMessageId(), role, origin, at: '2026-04-08T12:00:00.000Z', parts: [{ type: 'text', text }] }
}

/** In a process of its own, started as the program is, so that the provider beside it does not count. */
async function talk(root: string, turns: number): Promise<Row[]> {
  await using provider = await startFakeProvider()
  provider.always((_, n) => {
    provider.requests.length = 0
    return { text: `Part ${n} is fine. ${'It holds. '.repeat(12)}` }
  })
  const script = fileURLToPath(new URL('compaction-talk.ts', import.meta.url))
  const args = ['--max-semi-space-size=4', script, root, provider.url, String(turns), String(WINDOW)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row)
}

type Row = Record<string, string | number>
