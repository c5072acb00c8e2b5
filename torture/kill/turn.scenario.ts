import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent } from '../../src/agent/index.ts'
import { DEFAULTS, homeAt } from '../../src/config/index.ts'
import { Memory } from '../../src/memory/index.ts'
import { type Line, startFakeProvider } from '../../src/models/wire.fixture.ts'
import { Sessions, textOf, toolCallsOf, toolResultsOf } from '../../src/session/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

const project = (directory: string) => ({ root: directory, slug: 'p' })

/** Every other reply calls tools; the rest are answers. The ids of calls never come again, whoever starts anew. */
const line: Line = request => {
  const answered = request.body.messages
    .at(-1)
    ?.content.some?.((part: { type: string }) => part.type === 'tool_result')
  if (answered) return { text: 'Done, as far as I can see. '.repeat(4) }
  const calls = ['one', 'two', 'three'].map(text => ({
    id: `toolu_${process.pid}_${Date.now()}_${request.n}_${text}`,
    name: 'todo',
    input: { items: [{ text: `${text} ${request.n}`, status: 'pending' }] },
  }))
  return { text: 'Let me write that down.', calls, fault: { trickle: 1 } }
}

/** Turns of an agent with tools and memory, killed and taken up again: nothing said is lost, nothing runs twice. */
export const scenario: Scenario = {
  name: 'turn',

  async child(directory, acknowledge) {
    mkdirSync(join(directory, 'cache'), { recursive: true })
    const home = homeAt(join(directory, 'home'))
    const provider = await startFakeProvider()
    provider.always(line)
    const config = { ...DEFAULTS, model: 'anthropic/claude-x', providers: provider.settings('anthropic') }
    const memory = await Memory.open({ home, project: project(directory) })
    const [session] = (await new Sessions(home, project(directory)).list()).map(({ id }) => id)
    const agent = await Agent.open({
      home,
      project: project(directory),
      config,
      env: {},
      memory,
      ...(session !== undefined && { session }),
    })
    const emit = (event: Parameters<Parameters<Agent['send']>[1]>[0]) => {
      if (event.type === 'tool-started') appendFileSync(ranFile(directory), `${event.call.call}\n`)
    }
    if (agent.isUnanswered) await agent.goOn(emit)
    for (let number = 1; ; number++) {
      const text = `message ${process.pid}-${number}`
      const end = await agent.send(text, event => {
        if (event.type === 'transition' && event.to === 'person-spoke') acknowledge(text)
        emit(event)
      })
      if (end.reason !== 'answered') throw new Error(`${end.reason}: ${end.message}`)
    }
  },

  async check(directory, acknowledged) {
    const sessions = new Sessions(homeAt(join(directory, 'home')), project(directory))
    const [listed] = await sessions.list()
    if (!listed) return assertRule(acknowledged.length === 0, 'what was acknowledged is in a session')
    assertRule(listed.problem === undefined, `the session is listed: ${listed.problem}`)
    const { transcript, resumed } = await sessions.resume(listed.id)
    await transcript.close()
    const said = new Set<string>()
    const calls: string[] = []
    const results: string[] = []
    for await (const message of sessions.messages(listed.id)) {
      if (message.role === 'user') said.add(textOf(message))
      calls.push(...toolCallsOf(message).map(({ call }) => call))
      results.push(...toolResultsOf(message).map(({ call }) => call))
    }
    for (const text of acknowledged) assertRule(said.has(text), `"${text}", acknowledged, is in the session`)
    assertRule(calls.toSorted().join() === results.toSorted().join(), 'every call has exactly one result')
    const ran = existsSync(ranFile(directory)) ? readFileSync(ranFile(directory), 'utf8').split('\n') : []
    assertRule(new Set(ran).size === ran.length, 'nothing ran twice')
    const running = ran.filter(call => call !== '' && !calls.includes(call))
    assertRule(running.length === 0, `what has run is in the session (${running.join()})`)
    assertRule(
      resumed.problems.length <= 1 + acknowledged.length,
      'at most what was being written is unreadable',
    )
  },
}

/** Not synced, since it is no part of what is tested: beside what may be lost. */
function ranFile(directory: string): string {
  return join(directory, 'cache', 'ran')
}
