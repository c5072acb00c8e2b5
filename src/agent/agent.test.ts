import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { textOf } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { Agent } from './agent.ts'
import type { AgentEvent } from './events.ts'

const TOO_LONG: Line = {
  fault: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
}
const SECRET = `ghp_${'a1B2c3D4'.repeat(5)}`

/** An agent of a fresh home, whose model says these lines. */
async function agentWith(
  lines: readonly Line[],
  {
    config = {},
    remembers = true,
    directory,
  }: { config?: object; remembers?: boolean; directory?: string } = {},
) {
  const provider = await startFakeProvider(...lines)
  onTestFinished(() => provider.close())
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = remembers ? await Memory.open({ home, project, directory }) : undefined
  onTestFinished(() => memory?.[Symbol.dispose]())
  const settings: Config = {
    ...DEFAULTS,
    model: 'anthropic/claude-x',
    providers: provider.settings('anthropic'),
    ...config,
  }
  const open = (session?: string) =>
    Agent.open({
      home,
      project,
      config: settings,
      env: {},
      ...(memory && { memory }),
      ...(session !== undefined && { session }),
      sleep: async () => {},
    })
  const agent = await open()
  onTestFinished(() => agent.close())
  const events: AgentEvent[] = []
  return { agent, provider, open, events, emit: (event: AgentEvent) => void events.push(event), root }
}

const words = ({ messages }: Agent) => messages.filter(({ origin }) => origin === 'person').map(textOf)

test('what is said too late to be heard is kept, also when the answer is interrupted or fails', async () => {
  const { agent, open, emit } = await agentWith([{ text: 'One moment', fault: { stall: 'content' } }])
  const end = await agent.send('first', event => {
    emit(event)
    if (event.type !== 'text' || event.delta === '') return
    agent.steer('second')
    agent.interrupt()
  })
  expect(end.reason).toBe('interrupted')
  expect(words(agent)).toEqual(['first', 'second'])
  await agent.close()
  await using again = await open(agent.transcript.id)
  expect(words(again)).toEqual(['first', 'second'])
})

test('one thing is answered at a time, from the first moment on', async () => {
  const { agent, emit } = await agentWith([{ text: 'Yes.' }])
  const first = agent.send('first', emit)
  expect(agent.isWorking).toBe(true)
  await expect(agent.send('second', emit)).rejects.toThrow(/being answered already/)
  expect(await first).toEqual({ reason: 'answered' })
  expect(words(agent)).toEqual(['first'])
})

test('an interrupt counts before the model is asked', async () => {
  const { agent, emit, provider } = await agentWith([])
  const done = agent.send('first', emit)
  agent.interrupt()
  expect((await done).reason).toBe('interrupted')
  expect(provider.requests).toEqual([])
})

test('closing waits until what came of an answer is written', async () => {
  const { agent, emit } = await agentWith([{ text: 'Half', fault: { stall: 'content' } }])
  const said = Promise.withResolvers<void>()
  const done = agent.send('first', event => {
    emit(event)
    if (event.type === 'text') said.resolve()
  })
  await said.promise
  await agent.close()
  expect(readFileSync(agent.transcript.path, 'utf8')).toMatch(/Half[\s\S]*"failed":"interrupted"/)
  expect((await done).reason).toBe('interrupted')
})

test('a fallback that cannot be had: the answer has failed, and the session says so', async () => {
  const busy: Line = { fault: { status: 529, type: 'overloaded_error' } }
  const config = { fallbackModel: 'openai/gpt-x' }
  const { agent, emit, events } = await agentWith([busy, busy, busy], { config })
  const end = await agent.send('hello', emit)
  expect(end).toMatchObject({ reason: 'failed', message: expect.stringMatching(/OPENAI_API_KEY/) })
  expect(events.at(-1)).toEqual({ type: 'ended', end })
  expect(agent.transcript.meta.failed).toMatch(/fallbackModel/)
})

/** A conversation that became too long. */
const LONG: Line[] = [
  { text: 'Noted.' },
  TOO_LONG,
  { text: 'Notes of it.', usage: { input: 70, output: 7 } },
  { text: 'Here.', usage: { input: 20, output: 2 } },
]

test('a summary goes where the memories are, and what it cost is counted', async () => {
  const directory = join(temporaryDirectory(), 'elsewhere')
  const { agent, emit, root } = await agentWith(LONG, { directory })
  await agent.send('first', emit)
  const before = agent.transcript.meta.usage?.input ?? 0
  expect(await agent.send('second', emit)).toEqual({ reason: 'answered' })
  expect(readFileSync(join(directory, 'history.jsonl'), 'utf8')).toContain('Notes of it.')
  expect(existsSync(join(root, 'home/projects/p-1/memory/history.jsonl'))).toBe(false)
  expect(agent.transcript.meta.usage?.input).toBe(before + 90)
})

test('without memory nothing is kept of what was summarised', async () => {
  const { agent, emit, root } = await agentWith(LONG, { remembers: false })
  await agent.send('first', emit)
  expect(await agent.send('second', emit)).toEqual({ reason: 'answered' })
  expect(existsSync(join(root, 'home/projects/p-1/memory'))).toBe(false)
})

test('a secret that was said does not reach the history, also where nothing could be summarised', async () => {
  const refused: Line = { fault: { status: 401, type: 'authentication_error' } }
  const { agent, emit, root } = await agentWith([{ text: 'Noted.' }, TOO_LONG, refused, { text: 'Here.' }])
  await agent.send(`My token is ${SECRET}, use it.`, emit)
  expect(await agent.send('second', emit)).toEqual({ reason: 'answered' })
  const history = readFileSync(join(root, 'home/projects/p-1/memory/history.jsonl'), 'utf8')
  expect(history).toMatch(/\[RAW\] .*My token is \[a GitHub token, not kept\], use it/)
  expect(history).not.toContain(SECRET)
})

test('an interrupt while it is being summarised leaves the conversation as long as it was', async () => {
  const stalled: Line = { text: 'Notes', fault: { stall: 1 } }
  const { agent, emit, provider } = await agentWith([{ text: 'Noted.' }, TOO_LONG, stalled])
  await agent.send('first', emit)
  const done = agent.send('second', emit)
  await expect.poll(() => provider.requests.length).toBe(3)
  agent.interrupt()
  expect((await done).reason).toBe('interrupted')
  expect(words(agent)).toEqual(['first', 'second'])
})

test('notes are taken beside the conversation, and stand for its older part without a model being asked', async () => {
  const long = `${'Here is a part of the plan. '.repeat(60)}`
  const provider = await startFakeProvider()
  onTestFinished(() => provider.close())
  provider.always({ text: long })
  const providers = { custom: { ...provider.settings('custom').custom, window: 16_000 } }
  const config = { smallModel: 'embedded', model: 'custom/x', providers }
  const { agent, emit, events } = await agentWith([], { config })
  for (let turn = 0; turn < 12; turn++)
    await agent.send(`${turn === 0 ? 'My name is Ann Lindqvist. ' : ''}Part ${turn}: ${long}`, emit)
  const notes = readFileSync(agent.transcript.path.replace('.jsonl', '.notes.md'), 'utf8')
  expect(notes).toMatch(/^<!-- covers \S+ -->[\s\S]*Ann Lindqvist/)
  expect(events.some(event => event.type === 'transition' && event.to === 'compacted')).toBe(true)
  expect(provider.requests.at(-1)?.text).toContain('Ann Lindqvist')
  expect(provider.requests).toHaveLength(12)
})

test('/compact shortens when asked, keeps what is said and what /context tells adds up', async () => {
  const { agent, emit } = await agentWith([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }], {
    config: { smallModel: 'embedded' },
  })
  expect(await agent.compact()).toBe(false)
  for (const text of ['My name is Ann Lindqvist.', 'Second.', 'Third.']) await agent.send(text, emit)
  const before = await agent.context()
  expect(await agent.compact('names')).toBe(true)
  const after = await agent.context()
  expect([before.changed, after.changed]).toEqual([
    { tools: false, summary: false },
    { tools: false, summary: true },
  ])
  expect((await agent.context()).changed.summary).toBe(true)
  expect(after.messages.count).toBeLessThan(before.messages.count)
  expect(after.summary).toBeGreaterThan(0)
  const parts = after.sections.reduce((sum, { tokens }) => sum + tokens, 0) + after.tools + after.summary
  expect(Math.abs(after.tokens - parts - after.messages.tokens)).toBeLessThan(30)
})

test('a history that cannot be written is told of, and holds nobody up', async () => {
  const { agent, emit, root } = await agentWith(
    [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }],
    {
      config: { smallModel: 'embedded' },
    },
  )
  for (const text of ['My name is Ann Lindqvist.', 'Second.', 'Third.']) await agent.send(text, emit)
  mkdirSync(join(root, 'home/projects/p-1/memory/history.jsonl'), { recursive: true })
  const notices: string[] = []
  agent.listen(event => event.type === 'notice' && notices.push(event.text))
  expect(await agent.compact()).toBe(true)
  expect(notices.join()).toMatch(/history could not be written: .*The session has all that was said/)
  expect(await agent.send('Fourth.', emit)).toEqual({ reason: 'answered' })
})

test('a hook may keep a conversation from being shortened, and say what is to be kept when it is', async () => {
  const root = temporaryDirectory()
  const flag = join(root, 'no')
  const hooks = [
    { on: 'compaction.before' as const, command: `test ! -e '${flag}' || { echo not now >&2; exit 2; }` },
    { on: 'compaction.before' as const, command: `echo '{"context":"what Ann is called"}'` },
    { on: 'compaction.after' as const, command: 'exit 1' },
  ]
  const { agent, emit, provider } = await agentWith(
    ['One.', 'Two.', 'Three.', 'She is called Ann.'].map(text => ({ text })),
    { config: { hooks } },
  )
  for (const text of ['My name is Ann Lindqvist.', 'Second.', 'Third.']) await agent.send(text, emit)
  const notices: string[] = []
  agent.listen(event => event.type === 'notice' && notices.push(event.text))
  writeFileSync(flag, '')
  expect(await agent.compact()).toBe(false)
  expect(notices).toEqual([expect.stringContaining('not now')])
  rmSync(flag)
  expect(await agent.compact()).toBe(true)
  expect(provider.requests.at(-1)?.text).toContain('what Ann is called')
  expect(notices[1]).toContain('A hook failed')
})

test('a budget that cannot be kept is told once, and one whose price the owner told is kept', async () => {
  const lines: Line[] = [{ text: 'one' }, { text: 'two' }]
  const unknown = await agentWith(lines, { config: { budget: { usd: 1 } } })
  await unknown.agent.send('first', unknown.emit)
  await unknown.agent.send('second', unknown.emit)
  const told = ({ events }: { events: AgentEvent[] }) =>
    events.flatMap(event =>
      event.type === 'notice' && event.text.includes('budget.usd') ? [event.text] : [],
    )
  expect(told(unknown)).toEqual([expect.stringContaining('providers.anthropic.price')])

  const provider = await startFakeProvider({ text: 'dear' }, { text: 'never said' })
  onTestFinished(() => provider.close())
  const { anthropic } = provider.settings('anthropic')
  const known = await agentWith([], {
    config: {
      budget: { usd: 0.5 },
      providers: { anthropic: { ...anthropic, price: { input: 1e6, output: 1e6 } } },
    },
  })
  expect(await known.agent.send('first', known.emit)).toEqual({ reason: 'answered' })
  expect(await known.agent.send('second', known.emit)).toMatchObject({ reason: 'budget-spent' })
  expect(told(known)).toEqual([])
})
