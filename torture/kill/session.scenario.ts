import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeAt } from '../../src/config/index.ts'
import {
  type Message,
  newMessageId,
  type Part,
  type Role,
  Sessions,
  toolCallsOf,
  toolResultsOf,
} from '../../src/session/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

const LENGTHS = [0, 100, 30_000]
const CALLS = 3
/** Turns between two boundaries. */
const BOUNDARY_EVERY = 9

const open = (directory: string) => new Sessions(homeAt(join(directory, 'home')), { slug: 'p' })

function message(role: Role, parts: Part[]): Message {
  const origin = role === 'user' ? 'person' : role === 'assistant' ? 'model' : 'tool'
  return { id: newMessageId(), role, origin, at: new Date().toISOString(), parts }
}

/** Messages, tool calls and their results: what was acknowledged is there, and each call has one result. */
export const scenario: Scenario = {
  name: 'session',

  async child(directory, acknowledge) {
    const sessions = open(directory)
    const [id] = await sessions.ids()
    const transcript = id === undefined ? sessions.create() : (await sessions.resume(id)).transcript
    mkdirSync(join(directory, 'cache'), { recursive: true })
    for (let turn = 0; ; turn++) {
      const filler = 'é '.repeat(LENGTHS[turn % LENGTHS.length] ?? 0)
      const asked = message('user', [{ type: 'text', text: `turn ${turn} ${filler}` }])
      await transcript.append(asked)
      acknowledge(`message ${asked.id}`)
      if (turn % BOUNDARY_EVERY === BOUNDARY_EVERY - 1) await transcript.boundary(`up to ${turn}`, asked.id)
      const calls = Array.from({ length: CALLS }, () => newMessageId())
      const reply = message(
        'assistant',
        calls.map(call => ({ type: 'tool-call', call, tool: 'touch', input: { filler } })),
      )
      await transcript.append(reply)
      acknowledge(`message ${reply.id}`)
      const results = await Promise.all(
        calls.map(async call => {
          await transcript.checkpoint({ call, tool: 'touch' })
          appendFileSync(ranFile(directory), `${call}\n`)
          const content = [{ type: 'text' as const, text: filler }]
          const result = message('tool', [
            { type: 'tool-result', call, tool: 'touch', outcome: 'ok', content },
          ])
          await transcript.append(result)
          return result.id
        }),
      )
      for (const result of results) acknowledge(`message ${result}`)
    }
  },

  async check(directory, acknowledged) {
    const sessions = open(directory)
    const [id] = await sessions.ids()
    if (id === undefined) {
      assertRule(acknowledged.length === 0, 'what was acknowledged is in a session')
      return
    }
    const [listed] = await sessions.list()
    assertRule(listed?.problem === undefined, `the session is listed: ${listed?.problem}`)
    // Killed between making the file and writing its first line.
    if (!listed) return assertRule(acknowledged.length === 0, 'what was acknowledged is in the session')
    const { transcript, resumed } = await sessions.resume(id)
    await transcript.close()
    const seen = new Set<string>()
    const [calls, results] = [new Map<string, number>(), new Map<string, number>()]
    const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
    for await (const one of sessions.messages(id)) {
      seen.add(one.id)
      for (const { call } of toolCallsOf(one)) count(calls, call)
      for (const { call } of toolResultsOf(one)) count(results, call)
    }
    for (const record of acknowledged)
      assertRule(seen.has(record.split(' ')[1] ?? ''), `${record}, acknowledged, is in the session`)
    for (const call of calls.keys())
      assertRule(results.get(call) === 1, `call ${call} has exactly one result`)
    assertRule(calls.size === results.size, 'there is no result without a call')
    const ran = existsSync(ranFile(directory)) ? readFileSync(ranFile(directory), 'utf8').split('\n') : []
    assertRule(new Set(ran).size === ran.length, 'nothing ran twice')
    const again = await sessions.load(id)
    assertRule(again.inFlight.length === 0, 'nothing is in flight after it was taken up')
    assertRule(
      again.messages.length === resumed.messages.length,
      'what is live is the same when loaded again',
    )
  },
}

/** Not synced, since it is no part of what is tested: beside what may be lost. */
function ranFile(directory: string): string {
  return join(directory, 'cache', 'ran')
}
