import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Aside } from '../agent/index.ts'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { asideLine, openConversation } from './index.ts'

/** Never reached by a test that passes: a condition is waited for, not a time. */
const FAR_OFF = { timeout: 30_000 }
const nobody = () => {}
const create = (name: string, quote: string): Line => ({
  calls: [{ name: 'create', input: { type: 'user', name, description: 'd', body: `${quote}.`, quote } }],
  usage: { input: 100, output: 10 },
})
const DONE: Line = { text: 'DONE', usage: { input: 200, output: 1 } }

async function conversation(extraction: Partial<typeof DEFAULTS.extraction> = {}) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  const provider = await startFakeProvider()
  provider.always({ text: 'Aha.', usage: { input: 10, output: 1 } })
  const config = {
    ...DEFAULTS,
    model: 'anthropic/claude-test',
    providers: provider.settings('anthropic'),
    extraction: { ...DEFAULTS.extraction, ...extraction },
  }
  const open = await openConversation({ home, project, config, env: {}, memory, brief: true })
  onTestFinished(async () => {
    await open.close()
    memory[Symbol.dispose]()
    await provider.close()
  })
  const asides: Aside[] = []
  const costs: number[] = []
  open.agent.listen(event => {
    if (event.type === 'aside') asides.push(event)
    if (event.type === 'usage') costs.push(event.total.input)
  })
  const send = (text: string) => open.agent.send(text, nobody)
  const idle = () => expect.poll(() => open.isBusy, FAR_OFF).toBe(false)
  return { open, memory, provider, asides, costs, send, idle }
}

test('after an answer, beside it: one line with its undo, and what it cost is the session’s', async () => {
  const { send, idle, provider, asides, costs, memory, open } = await conversation()
  provider.sayToExtraction(create('Bergen', 'I live in Bergen'), DONE)
  await send('Hello! I live in Bergen.')
  await idle()
  const [aside] = asides
  expect(asides.map(asideLine)).toEqual([`Remembered: Bergen · undo: reverie memory undo ${aside?.undo?.id}`])
  expect(costs.at(-1)).toBe(310)
  expect(open.agent.transcript.meta.usage).toMatchObject({ input: 310, output: 12 })
  await memory.undo(aside?.undo?.id)
  expect(await memory.list()).toEqual([])
})

test('one at a time; while it goes on only the newest request waits, and what it learnt is not learnt twice', async () => {
  const { send, idle, provider, memory } = await conversation()
  const { promise: go, resolve } = Promise.withResolvers<void>()
  provider.sayToExtraction(
    async () => {
      await go
      return create('Bergen', 'I live in Bergen') as object
    },
    DONE,
    create('Cat', 'I have a cat'),
    DONE,
  )
  await send('I live in Bergen.')
  await expect.poll(() => provider.extractions.length, FAR_OFF).toBe(1)
  await send('I have a cat.')
  await send('And a dog, perhaps.')
  expect(provider.extractions).toHaveLength(1)
  resolve()
  await idle()
  expect(provider.extractions).toHaveLength(4)
  expect(provider.extractions[2]?.text).toMatch(/I have a cat[\s\S]*a dog, perhaps/)
  expect((await memory.list()).map(({ name }) => name).toSorted()).toEqual(['Bergen', 'Cat'])
})

test('a conversation that ends lets it finish', async () => {
  const { send, open, provider, asides } = await conversation()
  provider.sayToExtraction(create('Bergen', 'I live in Bergen'), DONE)
  await send('I live in Bergen.')
  await open.close()
  expect(asides).toMatchObject([{ text: 'Remembered: Bergen' }])
})

test('what goes wrong is said, and looked at again after the next answer', async () => {
  const { send, idle, provider, asides, memory } = await conversation()
  provider.sayToExtraction({ fault: { status: 400, message: 'no such model' } })
  await send('I live in Bergen.')
  await idle()
  expect(asides).toMatchObject([{ text: expect.stringMatching(/not looked through: .*no such model/) }])
  provider.sayToExtraction(create('Bergen', 'I live in Bergen'), DONE)
  await send('And now?')
  await idle()
  expect((await memory.list()).map(({ name }) => name)).toEqual(['Bergen'])
})

test('asked first: proposed in one line, and nothing is kept before a yes', async () => {
  const { send, idle, provider, asides, memory } = await conversation({ approval: 'ask' })
  provider.sayToExtraction(create('Bergen', 'I live in Bergen'), DONE)
  await send('I live in Bergen.')
  await idle()
  expect(asides).toMatchObject([
    { text: expect.stringMatching(/^Worth remembering\? Bergen · yes: reverie memory keep \w+ · no: /) },
  ])
  expect(await memory.list()).toEqual([])
})

test.each([
  ['switched off, nothing is looked at', { approval: 'off' }, false, 0],
  ['poor, what needs no model is found all the same', {}, true, 1],
] as const)('%s', async (_, extraction, poor, found) => {
  const { send, idle, open, provider, memory } = await conversation(extraction)
  open.poor = poor
  await send('I prefer tabs over spaces.')
  await idle()
  expect(provider.extractions).toEqual([])
  expect(await memory.list()).toHaveLength(found)
  expect(existsSync(open.agent.transcript.path.replace('.jsonl', '.learnt.json'))).toBe(poor)
})

test('one that is answered with a failure spends nothing more', async () => {
  const { send, idle, provider } = await conversation()
  provider.say({ fault: { status: 401, type: 'authentication_error' } })
  await send('I live in Bergen.')
  await idle()
  expect(provider.extractions).toEqual([])
})
