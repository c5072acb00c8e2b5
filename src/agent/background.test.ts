import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt, projectSlug } from '../config/index.ts'
import { type Line, type Reply, startFakeProvider, type WireRequest } from '../models/wire.fixture.ts'
import { toolResultsOf } from '../session/index.ts'
import { ownIdentity } from '../store/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { type BackgroundTask, backgroundDirectory } from '../work/index.ts'
import { Agent } from './agent.ts'

async function opened(...lines: Line[]) {
  const root = join(temporaryDirectory(), 'project')
  mkdirSync(root)
  writeFileSync(join(root, 'notes.txt'), 'the lighthouse is blue\n')
  const provider = await startFakeProvider(...lines)
  const home = homeAt(join(root, '..', 'home'))
  const project = { root, slug: projectSlug(root) }
  const open = async (session?: string) => {
    const agent = await Agent.open({
      home,
      project,
      config: { ...DEFAULTS, model: 'anthropic/claude-x', providers: provider.settings('anthropic') },
      env: { PATH: process.env.PATH },
      ...(session !== undefined && { session }),
    })
    agent.askPermission = async () => ({ answer: 'once' })
    onTestFinished(() => agent.close())
    return agent
  }
  onTestFinished(() => provider.close())
  const agent = await open()
  let notices = 0
  const wakes = Promise.withResolvers<void>()
  agent.onNotice = () => {
    notices++
    wakes.resolve()
  }
  return { agent, provider, root, home, project, open, woken: wakes.promise, notices: () => notices }
}

const ignore = () => {}
const call = (name: string, input: unknown) => ({ name, input })
const calls = (...made: ReturnType<typeof call>[]): Reply => ({ calls: made })
const lastOf = ({ body }: WireRequest) => JSON.stringify(body.messages.at(-1))
/** How often the model was shown it, in all that the last request holds. */
const times = (requests: readonly WireRequest[], text: string) =>
  JSON.stringify(requests.at(-1)?.body.messages).split(text).length - 1

const results = (agent: Agent) =>
  agent.messages
    .flatMap(toolResultsOf)
    .map(({ content }) => content.map(part => (part.type === 'text' ? part.text : '')).join(''))

test('a slow command goes on in the background while a file is read, and tells its end exactly once', async () => {
  const slow = 'until [ -e go ]; do sleep 0.02; done; echo finished slowly; exit 3'
  const { agent, provider, root, woken } = await opened(
    calls(call('bash', { command: slow, background: true }), call('read_file', { path: 'notes.txt' })),
    { text: 'It runs; the lighthouse is blue.' },
    { text: 'It failed, as it says.' },
    { text: 'You are welcome.' },
  )
  expect(await agent.send('Run it, and read the notes.', ignore)).toEqual({ reason: 'answered' })
  expect(results(agent)[1]).toContain('the lighthouse is blue')
  const [task] = agent.background.list()
  expect(task).toMatchObject({ kind: 'command', status: 'running', session: agent.transcript.id })
  writeFileSync(join(root, 'go'), '')
  await woken
  await agent.attend(ignore)
  const told = lastOf(provider.requests[2] as WireRequest)
  for (const part of [task?.id, 'failed', 'Its last line: finished slowly', task?.outputFile])
    expect(told).toContain(part)
  expect(await agent.attend(ignore)).toBeUndefined()
  await agent.send('Thanks.', ignore)
  expect(times(provider.requests, 'Its last line: finished slowly')).toBe(1)
  expect(provider.unanswered).toEqual([])
})

test('helpers are listed, read and stopped like commands; the end of one is told once, and it can go on', async () => {
  const script: Line = ({ body }) => {
    const [first, last] = [JSON.stringify(body.messages[0]), JSON.stringify(body.messages.at(-1))]
    if (last.includes('Finish now')) return { text: 'Finished after all.' }
    if (first.includes('Think hard')) return { text: 'So far so good', fault: { stall: 'content' } }
    if (last.includes('Start it')) return calls(call('agent', { task: 'Think hard.', background: true }))
    return { text: 'Noted.' }
  }
  const { agent, provider, woken } = await opened()
  provider.always(script)
  await agent.send('Start it.', ignore)
  const [helper] = agent.helpers.list()
  const [task] = agent.background.list()
  expect(task).toMatchObject({
    id: helper?.id,
    kind: 'agent',
    status: 'running',
    title: 'general: Think hard.',
  })
  const run = async (name: string, input: object) => {
    const tool = agent.hands.tools.find(tool => tool.name === name)
    const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
    return (await tool?.run(input, context))?.text ?? ''
  }
  expect(JSON.parse(await run('bg_list', {}))).toMatchObject([
    { id: task?.id, kind: 'agent', status: 'running' },
  ])
  expect(await run('bg_stop', { id: task?.id })).toBe(`${task?.id} was stopped.`)
  expect(agent.helpers.list()).toMatchObject([{ status: 'cancelled' }])
  await woken
  await agent.attend(ignore)
  await agent.send('And?', ignore)
  expect(times(provider.requests, 'did not finish: it was stopped')).toBe(1)
  const again = agent.helpers.tools()[0]
  const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
  const report = await again?.run({ resume: helper?.id, task: 'Finish now.' }, context)
  expect(report?.text).toMatch(/Finished after all\.[\s\S]*completed after 1 turn\b/)
  // Each run has an end of its own; the one that was stopped stays so.
  expect(agent.background.list().map(({ id, status }) => `${id} ${status}`)).toEqual([
    `${helper?.id} cancelled`,
    `${helper?.id}-2 completed`,
  ])
  expect(await run('bg_read', { id: `${helper?.id}-2` })).toContain('Finished after all.')
  expect(await agent.attend(ignore)).toBeUndefined()
})

test('what cannot wait interrupts, and is answered next, before all that waits', async () => {
  const { agent, provider, woken } = await opened(
    { text: 'I begin with', fault: { stall: 'content' } },
    { text: 'Then not.' },
  )
  const end = await agent.send('Do it.', event => {
    if (event.type !== 'text') return
    agent.steer('by the way')
    agent.steer('Stop, not that.', 'now')
  })
  expect(end.reason).toBe('interrupted')
  await woken
  expect(await agent.attend(ignore)).toEqual({ reason: 'answered' })
  const [, request] = provider.requests
  expect(JSON.stringify(request?.body.messages)).toMatch(/Do it\..*"I .*Stop, not that\..*by the way/)
})

test('what is taken back before it is heard never reaches the model, also when it was already being attended to', async () => {
  const { agent, provider, notices } = await opened({ text: 'Yes.' }, { text: 'Again yes.' })
  const said: string[] = []
  await agent.send('first', event => {
    if (event.type !== 'transition' || said.length > 0) return
    said.push(agent.steer('take this back'))
    expect(agent.unsay(said[0] ?? '')).toBe(true)
  })
  expect(provider.requests).toHaveLength(1)
  const id = agent.steer('never mind')
  expect(notices()).toBe(1)
  const attending = agent.attend(ignore) // claimed, and being prepared for
  expect(agent.isWorking).toBe(true)
  expect(agent.unsay(id)).toBe(true)
  expect(await attending).toBeUndefined()
  expect(provider.requests).toHaveLength(1)
  const heard = agent.steer('and this?')
  await agent.attend(ignore)
  expect(agent.unsay(heard)).toBe(false)
  expect(provider.requests[1]?.text).not.toMatch(/take this back|never mind/)
})

test('news that came meanwhile are part of the next message, in order, each once; a dream wakes nobody', async () => {
  const { agent, provider, notices } = await opened({ text: 'Good.' }, { text: 'Better.' })
  for (const [kind, title] of [
    ['dream', 'first news'],
    ['command', 'second news'],
    ['dream', 'no news'],
  ] as const)
    await agent.background.start({
      kind,
      title,
      run: async () => ({ summary: title, isNews: title !== 'no news' }),
    }).done
  expect(notices()).toBe(1)
  await agent.send('How are you?', ignore)
  const [request] = provider.requests
  expect(request?.body.messages).toHaveLength(1)
  expect(lastOf(request as WireRequest)).toMatch(/How are you\?[\s\S]*first news[\s\S]*second news/)
  expect(request?.text).not.toContain('no news')
  await agent.send('And now?', ignore)
  expect(times(provider.requests, 'first news')).toBe(1)
})

test('what ran when its process died is told to the conversation that had started it', async () => {
  const { agent, provider, open, home, project } = await opened({ text: 'Hello.' }, { text: 'I see.' })
  await agent.send('Hello.', ignore)
  await agent.close()
  const directory = backgroundDirectory(home, project)
  mkdirSync(directory, { recursive: true })
  const lost: BackgroundTask = {
    id: 'sh_0badcafe',
    kind: 'command',
    title: 'npm run dev',
    status: 'running',
    session: agent.transcript.id,
    owner: { ...ownIdentity(), pid: 2 ** 22 + 1 },
    createdAt: new Date().toISOString(),
    outputFile: join(directory, 'sh_0badcafe.txt'),
  }
  writeFileSync(join(directory, 'sh_0badcafe.json'), JSON.stringify(lost))
  const again = await open(agent.transcript.id)
  expect(again.isUnanswered).toBe(false)
  await again.send('Is it up?', ignore)
  expect(lastOf(provider.requests[1] as WireRequest)).toMatch(/Is it up\?[\s\S]*npm run dev.*was lost/)
  expect(await again.background.all()).toMatchObject([{ id: 'sh_0badcafe', status: 'failed' }])
})

test('what ends with the conversation is told when it is taken up, and nobody is asked before', async () => {
  const { agent, provider, open } = await opened(
    calls(call('bash', { command: 'sleep 1000', background: true })),
    { text: 'It runs.' },
    { text: 'It does not run any more.' },
  )
  await agent.send('Start it.', ignore)
  const [task] = agent.background.list()
  agent.onNotice = () => void agent.attend(ignore) // as a surface does
  await agent.close()
  expect(provider.requests).toHaveLength(2)
  expect(existsSync(task?.outputFile ?? '')).toBe(true)
  const again = await open(agent.transcript.id)
  expect(again.isUnanswered).toBe(false)
  await again.send('Does it run?', ignore)
  expect(times(provider.requests, 'was stopped. It printed nothing')).toBe(1)
})
