import { expect, test } from 'vitest'
import { startFakeProvider } from '../../models/wire.fixture.ts'
import { EventStream } from './event-stream.ts'
import { apply, type Thread } from './thread.ts'
import { servePage, Visitor } from './web.fixture.ts'

/** Events of a topic until one is what is looked for. */
async function heard(
  visitor: Visitor,
  query: Record<string, string>,
  isIt: (data: never) => boolean,
  topic = 'chat',
) {
  const all: { id: string; topic: string; data: unknown }[] = []
  for await (const event of visitor.events(query)) {
    all.push(event)
    if (event.topic === topic && isIt(event.data as never)) return all
  }
  throw new Error('the stream ended')
}

const isIdle = ({ patches }: { patches: { set?: { isWorking?: boolean } }[] }) =>
  patches.some(({ set }) => set?.isWorking === false)

test('memories are kept, read, changed, searched, forgotten and brought back', async () => {
  const { page } = await servePage()
  const visitor = await Visitor.of(page)
  const draft = { type: 'user', name: 'Prefers tabs', description: 'Indents with tabs', body: 'Use tabs.' }
  const made = await visitor.ask('POST', 'memory', draft)
  expect([made.status, made.body.file]).toEqual([201, 'user_prefers-tabs.md'])
  const path = `memory/${made.body.scope}/${made.body.file}`
  const read = await visitor.ask('GET', path)
  expect(read.body).toMatchObject({
    name: 'Prefers tabs',
    body: expect.stringContaining('Use tabs.'),
    pinned: false,
  })
  const { version } = read.body
  const changed = await visitor.ask('PATCH', path, { description: 'Tabs, always', version })
  expect(changed.body.description).toBe('Tabs, always')
  expect(await visitor.ask('PATCH', path, { description: 'Spaces', version })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('was changed meanwhile') },
  })
  expect((await visitor.ask('PATCH', path, { pinned: true })).body.pinned).toBe(true)
  expect((await visitor.ask('GET', 'memory/search?q=tabs')).body[0].file).toBe(made.body.file)
  const history = await visitor.ask('GET', `${path}/history`)
  expect(history.body.map(({ message }: { message: string }) => message)).toHaveLength(3)
  expect(history.body[1].patch).toContain('+description: Tabs, always')
  const { body } = await visitor.ask('DELETE', path)
  expect((await visitor.ask('GET', path)).status).toBe(404)
  expect((await visitor.ask('POST', 'memory/undo', { id: body.entry })).body.files).toEqual([made.body.file])
  expect((await visitor.ask('GET', 'memory/growth')).body.at(-1)).toMatchObject({ user: 1, project: 0 })
})

const REFUSED = [
  ['POST', 'memory', { type: 'mood' }, 400, /type: .*; name: .*/],
  ['POST', 'memory', 'no object', 400, /cannot be done as it was asked/],
  ['GET', 'memory/user/..%2f..%2fetc%2fpasswd', undefined, 400, /./],
  ['GET', 'memory/elsewhere/x.md', undefined, 404, /not a scope/],
  ['GET', 'sessions/20200101', undefined, 404, /./],
  ['POST', 'tasks/7/complete', {}, 404, /./],
  ['POST', 'cron', { prompt: 'x', cron: '61 * * * *' }, 400, /not a schedule/],
  ['PUT', 'settings/permissions.mode', { value: 'auto' }, 400, /not changed on the page/],
  ['PUT', 'settings/dream.minHours', { value: 'soon' }, 400, /./],
  ['POST', 'chat/20200101-000000-aaaaaa/say', { text: 'hi' }, 404, /./],
  ['POST', 'dreams/abcdef0123/undo', {}, 404, /./],
  ['GET', 'nothing', undefined, 404, /nothing at this address/],
] as const

test('what cannot be done is refused with a sentence, and a status that programs understand', async () => {
  const { page } = await servePage()
  const visitor = await Visitor.of(page)
  for (const [method, path, body, status, sentence] of REFUSED) {
    const answered = await visitor.ask(method, path, body)
    expect([answered.status, answered.body.error], `${method} ${path}`).toEqual([
      status,
      expect.stringMatching(sentence),
    ])
  }
})

test('a key is never told, neither by settings nor by a failure', async () => {
  await using provider = await startFakeProvider({ fault: { status: 401, message: 'bad key' } })
  const providers = provider.settings('anthropic')
  const { page } = await servePage({ config: { model: 'anthropic/fake', providers } })
  const visitor = await Visitor.of(page)
  const { session } = (await visitor.ask('POST', 'chat')).body
  const hearing = heard(visitor, { session }, isIdle)
  await visitor.ask('POST', `chat/${session}/say`, { text: 'Hello' })
  const told = JSON.stringify([
    await hearing,
    (await visitor.ask('GET', 'settings')).body,
    (await visitor.ask('GET', `chat/${session}`)).body,
  ])
  expect(told).toContain('providers.anthropic.apiKey')
  expect(told).not.toContain(providers.anthropic?.apiKey)
})

test('a question is asked in every window and answered from any; a second answer comes too late', async () => {
  await using provider = await startFakeProvider(
    { calls: [{ name: 'ask_user', input: { question: 'Tea or coffee?', options: ['Tea', 'Coffee'] } }] },
    { calls: [{ name: 'bash', input: { command: 'touch made-by-agent' } }] },
    { text: 'As you like.' },
  )
  const { page } = await servePage({
    config: { model: 'anthropic/fake', providers: provider.settings('anthropic') },
  })
  const visitor = await Visitor.of(page)
  const { session } = (await visitor.ask('POST', 'chat')).body
  type Asked = { patches: { put?: { kind: string; ask?: { kind: string } } }[] }
  const asks = (kind: string) =>
    heard(visitor, { session, after: place }, ({ patches }: Asked) =>
      patches.some(({ put }) => put?.ask?.kind === kind),
    )
  const { place } = (await visitor.ask('GET', `chat/${session}`)).body
  await visitor.ask('POST', `chat/${session}/say`, { text: 'Go.' })
  await asks('question')
  const open = async () =>
    (await visitor.ask('GET', `chat/${session}`)).body.items.find(
      ({ kind }: { kind: string }) => kind === 'question',
    )
  const question = await open()
  expect(question.ask.options).toEqual(['Tea', 'Coffee'])
  expect((await visitor.ask('POST', `chat/${session}/answers/${question.id}`, { text: 'Tea' })).status).toBe(
    200,
  )
  expect(
    await visitor.ask('POST', `chat/${session}/answers/${question.id}`, { text: 'Coffee' }),
  ).toMatchObject({ status: 404 })
  await asks('permission')
  const permission = await open()
  expect(permission.ask).toMatchObject({
    tool: 'bash',
    input: expect.stringContaining('touch made-by-agent'),
  })
  await visitor.ask('POST', `chat/${session}/answers/${permission.id}`, { answer: 'no', reason: 'not today' })
  await heard(visitor, { session, after: place }, isIdle)
  const { items } = (await visitor.ask('GET', `chat/${session}`)).body
  expect(
    items
      .filter(({ kind }: { kind: string }) => kind === 'tool')
      .map(({ tool, outcome }: { tool: string; outcome: string }) => [tool, outcome]),
  ).toEqual([
    ['ask_user', 'ok'],
    ['bash', 'denied'],
  ])
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('not today')
})

test('what was missed is heard again from a place on; all of it together is what a new page is shown', async () => {
  const { page } = await servePage()
  const visitor = await Visitor.of(page)
  const { place, ...empty } = (await visitor.ask('POST', 'chat')).body
  const { session } = empty
  await visitor.ask('POST', `chat/${session}/say`, { text: 'Remember that I like green tea.' })
  const all = await heard(visitor, { session, after: place }, isIdle)
  const patches = all.flatMap(({ topic, data }) =>
    topic === 'chat' ? (data as { patches: never[] }).patches : [],
  )
  const thread = patches.reduce(apply, empty as Thread)
  const { place: _, ...shown } = (await visitor.ask('GET', `chat/${session}`)).body
  expect(thread).toEqual(shown)
  expect(shown.items.map(({ kind }: { kind: string }) => kind)).toEqual(['said', 'tool', 'effect', 'reply'])
  // Another start of the server has other places: the page is told to look at everything again.
  const [, reset] = await heard(visitor, { session, after: 'ffffffff-3' }, () => true, 'reset')
  expect(reset?.topic).toBe('reset')
  const undone = await visitor.ask('POST', `chat/${session}/say`, { text: '/undo' })
  expect(undone.body).toEqual({})
  const last = (await visitor.ask('GET', `chat/${session}`)).body.items.at(-1)
  expect(last).toMatchObject({ kind: 'command', line: '/undo', text: expect.stringContaining('Undid') })
  // A phone has less room than a desk.
  await visitor.ask('POST', `chat/${session}/say`, { text: '/help', columns: 42 })
  const help = (await visitor.ask('GET', `chat/${session}`)).body.items.at(-1).text.split('\n')
  expect(Math.max(...help.map(({ length }: string) => length))).toBeLessThanOrEqual(42)
  expect((await visitor.ask('POST', `chat/${session}/say`, { text: '/new' })).body.session).not.toBe(session)
  expect((await visitor.ask('GET', `chat/${session}/complete?line=/dre`)).body[0].value).toBe('/dream')
})

test('an interrupt ends an answer, and what was said meanwhile is heard or taken back', async () => {
  const gate = Promise.withResolvers<void>()
  await using provider = await startFakeProvider(
    { text: 'A long story, told slowly.', fault: { pauseAfter: 5, until: gate.promise } },
    { text: 'Yes?' },
  )
  const { page } = await servePage({
    config: { model: 'anthropic/fake', providers: provider.settings('anthropic') },
  })
  const visitor = await Visitor.of(page)
  const { session, place } = (await visitor.ask('POST', 'chat')).body
  const say = (text: string) => visitor.ask('POST', `chat/${session}/say`, { text })
  await say('Tell me a story.')
  await heard(visitor, { session, after: place }, ({ patches }: { patches: { more?: string }[] }) =>
    patches.some(({ more }) => more),
  )
  expect((await say('Shorter.')).body).toEqual({ waits: true })
  expect((await visitor.ask('POST', `chat/${session}/unsay`, {})).status).toBe(200)
  expect((await visitor.ask('POST', `chat/${session}/unsay`, {})).status).toBe(404)
  await visitor.ask('POST', `chat/${session}/interrupt`, {})
  await heard(visitor, { session, after: place }, isIdle)
  gate.resolve()
  const { items, isWorking } = (await visitor.ask('GET', `chat/${session}`)).body
  expect(isWorking).toBe(false)
  expect(items.at(-1)).toMatchObject({ kind: 'notice', text: 'Interrupted.' })
})

test('a page that does not read is sent away rather than kept in memory', async () => {
  using events = new EventStream({ kept: 10 })
  const response = events.read({})
  expect(events.readers).toBe(1)
  for (let at = 0; at < 60; at++) events.tell({ topic: 'memory', data: 'x'.repeat(100_000) })
  expect(events.readers).toBe(0)
  await response.body?.cancel()
})
