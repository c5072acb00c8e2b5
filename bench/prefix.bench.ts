/**
 * How much of what was sent with one request is sent again, byte for byte, at the beginning of the next: that much
 * a provider's cache can serve. A session of 50 turns with tools, a memory saved midway and a skill loaded, on the wire.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Agent } from '../src/agent/index.ts'
import { DEFAULTS, homeAt } from '../src/config/index.ts'
import { Memory } from '../src/memory/index.ts'
import { type Line, startFakeProvider } from '../src/models/wire.fixture.ts'
import { percentile, printTable, round } from './report.ts'

const TURNS = 50
/** From a minute before midnight on, so that the day changes as well as the time. */
const START = new Date(2026, 3, 8, 23, 59).getTime()
const TURN_MS = 45_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const rows = []
  for (const model of ['anthropic/claude-x', 'custom/model-x']) {
    const bodies = await talk(model)
    const shares = bodies
      .slice(1)
      .map((body, at) => sharedPrefix(bodies[at] ?? '', body) / (bodies[at] ?? '').length)
    rows.push({
      model,
      requests: bodies.length,
      'unchanged %': round((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length),
      'least %': round(100 * percentile(shares, 0)),
      'last request KB': round((bodies.at(-1) ?? '').length / 1000, 1),
    })
  }
  if (values.json) console.log(JSON.stringify({ turns: TURNS, rows }))
  else printTable(`${TURNS} turns: what was sent before, sent again unchanged`, rows)
}

/** Every request's body, in its order, without the markers that move by design. */
async function talk(model: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-prefix-'))
  await using provider = await startFakeProvider()
  provider.always(line)
  const home = homeAt(join(root, 'home'))
  const project = { root, slug: 'bench' }
  let time = START
  const now = () => new Date(time)
  try {
    using memory = await Memory.open({ home, project, now })
    await memory.save({
      type: 'user',
      name: 'Prefers tabs',
      description: 'Indents with tabs',
      body: 'Always.',
    })
    const config = { ...DEFAULTS, model, providers: provider.settings('anthropic', 'custom') }
    await using agent = await Agent.open({ home, project, config, env: {}, memory, now })
    for (let turn = 0; turn < TURNS; turn++) {
      time += TURN_MS
      const end = await agent.send(`Step ${turn}: how do we indent part ${turn}?`, () => {})
      if (end.reason !== 'answered') throw new Error(`turn ${turn} ended as ${end.reason}: ${end.message}`)
    }
    return provider.requests.map(({ body }) => inOrder(body))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Two rounds of tools, then an answer; halfway a memory is saved, and later a skill is loaded. */
const line: Line = (request, n) => {
  const text = `Looking at it, step ${n}.`
  if (n % 3 === 2) return { text: `Done with ${n}. ${'So it is. '.repeat(20)}` }
  if (n === TURNS)
    return {
      text,
      calls: [
        {
          name: 'memory_save',
          input: { type: 'project', name: 'Halfway', description: 'Halfway through', body: request.path },
        },
      ],
    }
  if (n === TURNS + 10) return { text, calls: [{ name: 'skill', input: { name: 'memory' } }] }
  return { text, calls: [{ name: 'memory_search', input: { query: `part ${n}` } }, todo(n)] }
}

function todo(n: number) {
  return { name: 'todo', input: { items: [{ text: `Look at part ${n}`, status: 'in_progress' }] } }
}

/** In the order in which a provider reads it: tools, then the system prompt, then what was said. */
function inOrder({
  tools,
  system,
  messages,
}: {
  tools: unknown
  system: unknown
  messages: unknown[]
}): string {
  const bare = (value: unknown) =>
    JSON.stringify(value ?? null, (key, inner) => (key === 'cache_control' ? undefined : inner))
  return bare(tools) + bare(system) + messages.map(bare).join('')
}

function sharedPrefix(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
