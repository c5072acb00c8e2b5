import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { type Candidate, Memory } from '../memory/index.ts'
import { openModel } from '../models/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { Agent } from './agent.ts'
import type { AgentEvent } from './events.ts'
import { chosenOf, selectWith } from './selecting.ts'

const QUESTION = 'How do we deploy the billing service?'

/** An agent with two memories that a question's words find, and one that they do not. */
async function agentThatRemembers(provider: 'anthropic' | 'openai', ...lines: Line[]) {
  const wire = await startFakeProvider(...lines)
  onTestFinished(() => wire.close())
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  onTestFinished(() => memory[Symbol.dispose]())
  for (const [name, body] of [
    ['Billing deploys', 'The billing service is deployed by hand, with the deploy script.'],
    ['Billing owner', 'Alice owns the deploy of the billing service.'],
  ] as const)
    await memory.save({ type: 'project', name, description: body, body })
  const config = {
    ...DEFAULTS,
    model: `${provider}/large`,
    smallModel: `${provider}/small`,
    memory: { ...DEFAULTS.memory, select: 'model' as const },
    providers: wire.settings(provider),
  }
  const agent = await Agent.open({ home, project, config, env: {}, memory, sleep: async () => {} })
  onTestFinished(() => agent.close())
  const events: AgentEvent[] = []
  const ask = async () => {
    await agent.send(QUESTION, event => events.push(event))
    return events.flatMap(event => (event.type === 'recalled' ? event.memories.map(({ name }) => name) : []))
  }
  return { agent, ask, wire, events }
}

test.each(['anthropic', 'openai'] as const)('%s: a small model chooses what is recalled', async provider => {
  const { ask, wire, events, agent } = await agentThatRemembers(
    provider,
    request => {
      const text = JSON.stringify(request.body)
      const number = /(\d)\. \[project\] Billing deploys/.exec(text)?.[1]
      return { text: `{"chosen": [${number}, 9]}`, usage: { input: 100, output: 10 } }
    },
    { text: 'By hand.', usage: { input: 1_000, output: 20 } },
  )
  expect(await ask()).toEqual(['Billing deploys'])
  const [choosing, answering] = wire.requests
  expect(choosing?.body).toMatchObject({ model: 'small' })
  const recalled = /kind=\W*memory\W.*?<\/attachment>/s.exec(JSON.stringify(answering?.body))?.[0]
  expect(recalled).toContain('deployed by hand')
  expect(recalled).not.toContain('Alice owns the deploy')
  // What it cost is the session's.
  expect(agent.transcript.meta.usage).toMatchObject({ input: 1_100, output: 30 })
  expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2)
})

test('none is none: the model may say that nothing helps', async () => {
  const { ask } = await agentThatRemembers(
    'anthropic',
    { text: '{"chosen": []}' },
    { text: 'I do not know.' },
  )
  expect(await ask()).toEqual([])
})

test.each<[string, Line]>([
  ['fails', { fault: { status: 500 } }],
  ['says no such thing', { text: 'The first one looks good.' }],
  ['says something else', { text: '{"chosen": "all"}' }],
])('a model that %s: words decide, and the answer comes', async (_, line) => {
  const { ask, agent } = await agentThatRemembers('anthropic', line, { text: 'By hand.' })
  expect((await ask()).toSorted()).toEqual(['Billing deploys', 'Billing owner'])
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant' })
})

test('side jobs that are turned off cost nothing', async () => {
  const { ask, agent, wire } = await agentThatRemembers('anthropic', { text: 'By hand.' })
  agent.poor = true
  expect(await ask()).toHaveLength(2)
  expect(wire.requests).toHaveLength(1)
})

const CANDIDATES: Candidate[] = ['a', 'b', 'c'].map(id => ({
  id,
  name: id,
  description: id,
  type: 'project',
  note: 'saved today',
}))

test('one that is silent is not waited for', async () => {
  const wire = await startFakeProvider({ text: '{"chosen": [1]}', fault: { stall: 'request' } })
  onTestFinished(() => wire.close())
  const config = { ...DEFAULTS, providers: wire.settings('anthropic') }
  const select = selectWith({
    model: () => openModel('anthropic/small', config, {}),
    charge: async () => {},
    signal: new AbortController().signal,
    now: () => new Date(),
    withinMs: 50,
  })
  expect(await select(QUESTION, CANDIDATES)).toBeUndefined()
})

test.each<[string, string[] | undefined]>([
  ['{"chosen": [3, 1]}', ['c', 'a']],
  ['```json\n{"chosen":[2,2]}\n```', ['b']],
  ['{"chosen": [0, 4, -1, "2"]}', ['b']],
  ['{"chosen": []}', []],
  ['[1]', undefined],
  ['', undefined],
])('%s', (text, ids) => {
  expect(chosenOf(text, CANDIDATES)).toEqual(ids)
})
