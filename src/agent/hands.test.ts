import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, findProject, homeAt } from '../config/index.ts'
import { type Line, type Reply, startFakeProvider } from '../models/wire.fixture.ts'
import { textOf, toolResultsOf } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { Agent } from './agent.ts'
import type { AgentEvent } from './events.ts'

/** A small repository with a bug and a test that shows it. */
function repository(): string {
  const root = join(temporaryDirectory(), 'repository')
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(join(root, 'src', 'sum.js'), 'exports.sum = (a, b) => a - b\n')
  writeFileSync(
    join(root, 'test.js'),
    "require('node:assert').equal(require('./src/sum.js').sum(2, 2), 4)\nconsole.log('all well')\n",
  )
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

async function open(root: string, lines: Line[], config: Partial<typeof DEFAULTS> = {}) {
  const provider = await startFakeProvider(...lines)
  const agent = await Agent.open({
    home: homeAt(join(root, '..', 'home')),
    project: findProject(root),
    config: {
      ...DEFAULTS,
      model: 'anthropic/claude-sonnet-5-5',
      providers: provider.settings('anthropic'),
      ...config,
    },
    env: { PATH: process.env.PATH },
    directory: root,
  })
  onTestFinished(async () => {
    await agent.close()
    await provider.close()
  })
  const events: AgentEvent[] = []
  const results = () => agent.messages.flatMap(toolResultsOf)
  const said = (result: ReturnType<typeof results>[number] | undefined) =>
    result?.content.map(part => (part.type === 'text' ? part.text : part.type)).join('\n') ?? ''
  return {
    agent,
    provider,
    events,
    results,
    said,
    send: (text: string) => agent.send(text, event => events.push(event)),
  }
}

const call = (name: string, input: unknown): Reply => ({ calls: [{ name, input }] })

test('finds a bug with grep, reads, edits, runs the tests and answers, in a real repository', async () => {
  const root = repository()
  const { agent, send, results, said } = await open(root, [
    call('grep', { pattern: 'sum =', output: 'lines' }),
    call('read_file', { path: 'src/sum.js' }),
    call('edit_file', { path: 'src/sum.js', old: 'a - b', new: 'a + b' }),
    call('bash', { command: 'node test.js' }),
    { text: 'It subtracted; now it adds, and the test passes.' },
  ])
  const asked: string[] = []
  agent.askPermission = async ({ tool }) => {
    asked.push(tool)
    return { answer: 'once' }
  }
  expect(await send('The sum is wrong. Mend it.')).toEqual({ reason: 'answered' })
  expect(results().map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
    'grep ok',
    'read_file ok',
    'edit_file ok',
    'bash ok',
  ])
  expect(said(results()[0])).toContain('src/sum.js')
  expect(said(results()[3])).toContain('all well')
  expect(readFileSync(join(root, 'src', 'sum.js'), 'utf8')).toBe('exports.sum = (a, b) => a + b\n')
  expect(asked).toEqual(['edit_file', 'bash'])
  const mine = agent.messages.find(({ origin }) => origin === 'person')?.id ?? ''
  expect(await agent.rewind(mine)).toMatchObject({ restored: [join(root, 'src', 'sum.js')] })
  expect(readFileSync(join(root, 'src', 'sum.js'), 'utf8')).toContain('a - b')
})

test('with nobody to ask, what needs a yes is denied with a reason, and three in a row end the attempt', async () => {
  const root = repository()
  const { send, results, said } = await open(
    root,
    Array.from({ length: 4 }, () => call('bash', { command: 'rm -rf src' })),
  )
  expect(await send('Clean up.')).toMatchObject({
    reason: 'denied',
    message: expect.stringMatching(/3 calls in a row/),
  })
  expect(results().every(({ outcome }) => outcome === 'denied')).toBe(true)
  expect(said(results()[0])).toMatch(/nobody is there/)
  expect(existsSync(join(root, 'src', 'sum.js'))).toBe(true)
})

test('plan mode reads and writes nothing', async () => {
  const root = repository()
  const { agent, send, results } = await open(root, [
    call('read_file', { path: 'src/sum.js' }),
    call('edit_file', { path: 'src/sum.js', old: 'a - b', new: 'a + b' }),
    { text: 'I would add.' },
  ])
  agent.permissions.mode = 'plan'
  agent.askPermission = async () => ({ answer: 'once' })
  await send('What would you do?')
  expect(results().map(({ outcome }) => outcome)).toEqual(['ok', 'denied'])
  expect(readFileSync(join(root, 'src', 'sum.js'), 'utf8')).toContain('a - b')
})

test('hooks see every call, may change or stop it, and send an answer back for more', async () => {
  const root = repository()
  const hooks = [
    { on: 'tool.before' as const, tools: 'bash', command: `echo '{"input":{"command":"echo amended"}}'` },
    { on: 'tool.before' as const, tools: 'write_file', command: 'echo frozen >&2; exit 2' },
    { on: 'tool.after' as const, tools: 'bash', command: `echo '{"context":"mind the time"}'` },
    { on: 'prompt' as const, command: `echo '{"context":"it is Friday"}'` },
    { on: 'reply' as const, command: 'test -e done || { touch done; echo not finished >&2; exit 2; }' },
  ]
  const { agent, send, results, said, provider } = await open(
    root,
    [
      call('bash', { command: 'echo original' }),
      call('write_file', { path: 'x', content: 'x' }),
      { text: 'Done?' },
      { text: 'Now it is.' },
    ],
    { hooks },
  )
  agent.askPermission = async () => ({ answer: 'once' })
  expect(await send('Go.')).toEqual({ reason: 'answered' })
  expect(said(results()[0])).toMatch(/amended[\s\S]*mind the time/)
  expect(results()[1]).toMatchObject({ outcome: 'denied' })
  expect(said(results()[1])).toContain('frozen')
  expect(provider.requests[0]?.text).toContain('it is Friday')
  expect(provider.requests.at(-1)?.text).toContain('not finished')
  expect(textOf(agent.messages.at(-1) ?? { parts: [] })).toBe('Now it is.')
})

test('a helper works with a context of its own, reports, and its cost is the conversation’s', async () => {
  const root = repository()
  const usage = { input: 1_000_000, output: 0 }
  const { agent, send, results, said, provider } = await open(root, [
    { ...call('agent', { agent: 'explore', task: 'Where is sum?' }), usage: { input: 0, output: 0 } },
    { ...call('grep', { pattern: 'sum =' }), usage },
    { text: 'In src/sum.js, line 1.', usage: { input: 0, output: 0 } },
    { text: 'It is in src/sum.js.', usage: { input: 0, output: 0 } },
  ])
  expect(await send('Find sum.')).toEqual({ reason: 'answered' })
  expect(said(results()[0])).toMatch(/In src\/sum\.js, line 1\.[\s\S]*completed after 2 turns/)
  const [, helper] = provider.requests
  expect(helper?.body.messages).toHaveLength(1)
  expect(helper?.text).not.toContain('Find sum.')
  const offered = helper?.body.tools.map(({ name }: { name: string }) => name)
  expect(offered).toContain('grep')
  expect(offered).not.toContain('bash')
  expect(offered).not.toContain('agent')
  expect(agent.transcript.meta.usage?.usd).toBeGreaterThan(0)
  const [one] = agent.helpers.list()
  expect(existsSync(one?.transcript ?? '')).toBe(true)
})

test('a helper in the background survives an interrupt, reports once, hears what is said to it, and goes on when resumed', async () => {
  const root = repository()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const script: Line = async request => {
    const last = JSON.stringify(request.body.messages.at(-1))
    const first = JSON.stringify(request.body.messages[0])
    if (first.includes('Count to ten')) {
      if (last.includes('Faster')) return { text: 'Ten, fast.' }
      if (last.includes('tool_result')) return { text: 'Counted.' }
      await released
      return call('glob', { pattern: '*.js' })
    }
    if (last.includes('Start it'))
      return call('agent', { agent: 'general', task: 'Count to ten.', background: true })
    if (last.includes('running')) return { text: 'Started, and waiting.', fault: { stall: 4 } }
    return { text: 'Noted.' }
  }
  const { agent, send, events } = await open(root, [])
  const provider = await startFakeProvider()
  onTestFinished(() => provider.close())
  provider.always(script)
  await agent.close()
  const again = await openWith(root, provider)
  const answered = again.send('Start it.', event => {
    events.push(event)
    if (event.type === 'text') again.interrupt()
  })
  expect(await answered).toMatchObject({ reason: 'interrupted' })
  const [helper] = again.helpers.list()
  expect(helper).toMatchObject({ status: 'running', background: true })
  const noticed = new Promise<void>(resolve => {
    again.onNotice = resolve
  })
  release()
  await noticed
  expect(again.helpers.list()[0]).toMatchObject({ status: 'completed', turns: 2 })
  expect(await again.attend(() => {})).toMatchObject({ reason: 'answered' })
  const notes = again.messages.filter(({ origin }) => origin === 'notification')
  expect(notes).toHaveLength(1)
  expect(JSON.stringify(notes[0]?.parts)).toContain('Counted.')
  expect(await again.attend(() => {})).toBeUndefined()
  const resumed = await again.helpers.tools()[0]?.run({ resume: helper?.id, task: 'Faster.' }, context())
  expect(resumed?.text).toMatch(/Ten, fast\./)
  void send
})

test('a helper is stopped by its id, and ends with the conversation', async () => {
  const root = repository()
  const provider = await startFakeProvider()
  onTestFinished(() => provider.close())
  provider.always({ text: 'I never end.', fault: { stall: 4 } })
  const agent = await openWith(root, provider)
  const [start, , stop] = agent.helpers.tools()
  await start?.run({ task: 'One.', background: true }, context())
  await start?.run({ task: 'Two.', background: true }, context())
  const [one, two] = agent.helpers.list()
  expect((await stop?.run({ id: one?.id }, context()))?.text).toMatch(/was stopped/)
  expect(agent.helpers.list().map(({ status }) => status)).toEqual(['cancelled', 'running'])
  await agent.close()
  expect(agent.helpers.list()[1]).toMatchObject({ id: two?.id, status: 'cancelled' })
})

test('a fork begins with what the conversation has sent, byte for byte', async () => {
  const root = repository()
  const { send, provider } = await open(root, [
    { text: 'Hello.' },
    call('agent', { task: 'Think about it.', fork: true }),
    { text: 'I thought.' },
    { text: 'Good.' },
  ])
  await send('Hello?')
  await send('Think.')
  const bare = (n: number) =>
    JSON.stringify(provider.requests[n]?.body, (key, value) => (key === 'cache_control' ? undefined : value))
  const body = (n: number) => JSON.parse(bare(n))
  expect(JSON.stringify(body(2).messages).startsWith(JSON.stringify(body(1).messages).slice(0, -3))).toBe(
    true,
  )
  expect([body(2).system, body(2).tools]).toEqual([body(1).system, body(1).tools])
})

test('a command in the background tells when it ends', async () => {
  const root = repository()
  const { agent, send } = await open(root, [
    call('bash', { command: 'sleep 0.1; echo late', background: true }),
    { text: 'Started.' },
    { text: 'It said late.' },
  ])
  agent.askPermission = async () => ({ answer: 'once' })
  const noticed = new Promise<void>(resolve => {
    agent.onNotice = resolve
  })
  await send('Run it.')
  await Promise.race([noticed, sleep(10_000)])
  await agent.attend(() => {})
  const notes = agent.messages.filter(({ origin }) => origin === 'notification')
  expect(notes).toHaveLength(1)
  expect(JSON.stringify(notes[0]?.parts)).toContain('completed')
})

function context() {
  return { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
}

async function openWith(
  root: string,
  provider: Awaited<ReturnType<typeof startFakeProvider>>,
): Promise<Agent> {
  const agent = await Agent.open({
    home: homeAt(join(root, '..', 'home')),
    project: findProject(root),
    config: { ...DEFAULTS, model: 'anthropic/claude-x', providers: provider.settings('anthropic') },
    env: { PATH: process.env.PATH },
    directory: root,
  })
  onTestFinished(() => agent.close())
  return agent
}

test('in a worktree it works there, not in the main checkout', async () => {
  const root = repository()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root })
  git('add', '.')
  git('commit', '-qm', 'one')
  const worktree = join(root, '..', 'feature')
  git('worktree', 'add', '-q', worktree)
  const { send, results, said } = await open(
    worktree,
    [
      call('read_file', { path: 'src/sum.js' }),
      call('edit_file', { path: 'src/sum.js', old: 'a - b', new: 'a + b' }),
      call('bash', { command: 'pwd; git status --short' }),
      call('write_file', { path: join(root, 'src', 'other.js'), content: 'x' }),
      { text: 'Done.' },
    ],
    { permissions: { ...DEFAULTS.permissions, mode: 'auto' } },
  )
  await send('Mend it.')
  expect(results().map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'denied'])
  expect(said(results()[2])).toBe(`${worktree}\n M src/sum.js`)
  expect(readFileSync(join(worktree, 'src', 'sum.js'), 'utf8')).toContain('a + b')
  expect(readFileSync(join(root, 'src', 'sum.js'), 'utf8')).toContain('a - b')
})
