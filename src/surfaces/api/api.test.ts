import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, DEFAULTS, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { type Line, startFakeProvider } from '../../models/wire.fixture.ts'
import { Sessions, textOf } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Keys } from '../keys/index.ts'
import { type ApiOptions, makeApi } from './api.ts'

async function serve(lines: Line[] = [], more: Partial<Config> = {}, talks: Partial<ApiOptions> = {}) {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const project = { root, slug: 'p-1' }
  const provider = await startFakeProvider(...lines)
  const memory = await Memory.open({ home, project })
  const keys = new Keys(home)
  const { key, id: keyId } = await keys.create('test')
  const config = {
    ...DEFAULTS,
    model: 'anthropic/claude-x',
    providers: provider.settings('anthropic'),
    // What is asked beside the conversation is another test's.
    extraction: { ...DEFAULTS.extraction, approval: 'off' as const },
    ...more,
  }
  const api = makeApi({ home, project, config: async () => ({ ...config }), env: {}, memory, keys, ...talks })
  const server = createServer(getRequestListener(api.app.fetch))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await api[Symbol.asyncDispose]()
    memory[Symbol.dispose]()
    await provider.close()
  })
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const client = (apiKey = key, headers: Record<string, string> = {}) =>
    new OpenAI({ apiKey, baseURL, maxRetries: 0, defaultHeaders: headers })
  const sessions = new Sessions(home, project)
  return { provider, memory, keys, key, keyId, client, baseURL, sessions, root, config }
}

type Messages = OpenAI.ChatCompletionMessageParam[]
const user = (content: string): Messages => [{ role: 'user', content }]
const TABS = {
  type: 'user',
  name: 'Prefers tabs',
  description: 'Indents with tabs',
  body: 'Use tabs.',
} as const

test('the official client gets an answer, whole and streamed, out of memory and with tools hidden', async () => {
  const { client, provider, memory } = await serve()
  await memory.save(TABS)
  const lines: Line[] = [
    { text: 'Let me look.', calls: [{ name: 'memory_search', input: { query: 'tabs' } }] },
    { text: 'You use tabs.' },
  ]
  provider.say(...lines, ...lines)
  const messages = user('How do I indent?')
  const whole = await client().chat.completions.create({ model: 'reverie', messages })
  expect(whole.choices).toMatchObject([
    { message: { role: 'assistant', content: 'Let me look.\n\nYou use tabs.' }, finish_reason: 'stop' },
  ])
  expect(whole.usage?.total_tokens).toBeGreaterThan(0)
  expect(provider.requests[0]?.text).toContain('Prefers tabs')
  const stream = await client().chat.completions.create({
    model: 'reverie',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })
  let [text, finish, usage]: [string, string | null | undefined, number | undefined] = ['', '', 0]
  for await (const { choices, usage: told } of stream) {
    // As the protocol has it: null, until there is nothing else to tell.
    expect(told === null).toBe(choices.length > 0)
    text += choices[0]?.delta.content ?? ''
    finish = choices[0]?.finish_reason ?? finish
    usage = told?.total_tokens ?? usage
  }
  expect([text, finish]).toEqual(['Let me look.\n\nYou use tabs.', 'stop'])
  expect(usage).toBeGreaterThan(0)
  const models = await client().models.list()
  expect(models.data.map(({ id }) => id)).toEqual(['reverie', 'anthropic/claude-x'])
  expect(await client().models.retrieve('anthropic/claude-x')).toMatchObject({ object: 'model' })
})

test('a wrong key gets 401, a revoked one too, and a flood 429 with a time to wait', async () => {
  const { client, keys, key, keyId, provider, baseURL } = await serve([], {
    api: { requestsPerMinute: 3, atOnce: 4 },
  })
  provider.always({ text: 'Hi.' })
  const ask = (apiKey?: string) =>
    client(apiKey).chat.completions.create({ model: 'reverie', messages: user('Hi') })
  await expect(ask('wrong')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  const missing = await fetch(`${baseURL}/models`)
  expect([missing.status, await missing.json()]).toEqual([
    401,
    {
      error: {
        message: expect.stringContaining('reverie keys create'),
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  ])
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ask()))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  for (const error of refused) expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect(Number(refused[0].headers.get('retry-after'))).toBeGreaterThan(0)
  // Another key has an allowance of its own.
  const other = await keys.create('other')
  expect((await ask(other.key)).choices[0]?.message.content).toBe('Hi.')
  await keys.revoke(keyId)
  await expect(ask(key)).rejects.toMatchObject({ status: 401 })
})

test('a conversation is known by what was said in it; what was said elsewhere is told to the model', async () => {
  const { client, provider, sessions } = await serve([
    { text: ' One. ' },
    { text: 'Two.' },
    { text: 'Three.' },
    { text: 'Four.' },
  ])
  const ask = async (messages: Messages) =>
    (await client().chat.completions.create({ model: 'reverie', messages })).choices[0]?.message.content ?? ''
  const first = user('Count.')
  const one = await ask(first)
  const second: Messages = [...first, { role: 'assistant', content: one.trim() }, ...user('Go on.')]
  expect(await ask(second)).toBe('Two.')
  expect(await sessions.ids()).toHaveLength(1)
  // Going on from the same words in another way is another conversation, which begins with them.
  expect(await ask([{ role: 'system', content: 'Count in Latin.' }, ...second])).toBe('Three.')
  const elsewhere: Messages = [
    ...user('Never said here.'),
    { role: 'assistant', content: 'Nor this.' },
    ...user('And now?'),
  ]
  expect(await ask(elsewhere)).toBe('Four.')
  expect(await sessions.ids()).toHaveLength(3)
  expect(provider.requests[2]?.text).toContain('Count in Latin.')
  const said = provider.requests[3]?.body as { messages: Array<{ role: string }> }
  expect(said.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test('a named session goes on by its name, for its key alone', async () => {
  const { client, keys, keyId, provider, sessions } = await serve([
    { text: 'Hello Kim.' },
    { text: 'Kim.' },
    { text: 'Who?' },
  ])
  const named = { 'X-Reverie-Session': 'desk' }
  const ask = async (content: string, key?: string) =>
    (await client(key, named).chat.completions.create({ model: 'reverie', messages: user(content) }))
      .choices[0]?.message.content
  await ask('I am Kim.')
  expect(await ask('Who am I?')).toBe('Kim.')
  expect(provider.requests[1]?.text).toContain('I am Kim.')
  const { messages } = await sessions.load(`api-${keyId}-desk`)
  expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(['I am Kim.', 'Who am I?'])
  await ask('Who am I?', (await keys.create('other')).key)
  expect(provider.requests[2]?.text).not.toContain('I am Kim.')
  await expect(
    client(undefined, { 'X-Reverie-Session': '../../etc' }).chat.completions.create({
      model: 'reverie',
      messages: user('x'),
    }),
  ).rejects.toMatchObject({ status: 400 })
})

test('settings and instructions that change meanwhile hold from the next request on, in the same session', async () => {
  const { client, provider, sessions, config } = await serve([{ text: 'One.' }, { text: 'Two.' }])
  const named = { 'X-Reverie-Session': 'desk' }
  const ask = (content: string, system: string) =>
    client(undefined, named).chat.completions.create({
      model: 'reverie',
      messages: [{ role: 'system', content: system }, ...user(content)],
    })
  await ask('Hi.', 'It is Monday.')
  Object.assign(config, { model: 'anthropic/claude-y', api: { requestsPerMinute: 1, atOnce: 4 } })
  expect((await client().models.list()).data.map(({ id }) => id)).toEqual(['reverie', 'anthropic/claude-y'])
  await ask('Hi again.', 'It is Tuesday.')
  expect(provider.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
    'claude-x',
    'claude-y',
  ])
  expect(provider.requests[1]?.text).toContain('It is Tuesday.')
  expect(provider.requests[1]?.text).not.toContain('It is Monday.')
  expect(await sessions.ids()).toHaveLength(1)
  await expect(ask('And again.', '')).rejects.toMatchObject({ status: 429 })
})

test('what runs in the background is not ended because nobody asked for a while', async () => {
  const command = 'until [ -e go ]; do sleep 0.02; done; echo > finished'
  const { client, root } = await serve(
    [
      { calls: [{ name: 'bash', input: { command, background: true } }] },
      { text: 'It runs.' },
      { text: 'Yes?' },
    ],
    { permissions: { ...DEFAULTS.permissions, mode: 'auto' } },
    { mostOpen: 0, idleMs: 0 },
  )
  const ask = (content: string) =>
    client().chat.completions.create({ model: 'reverie', messages: user(content) })
  expect((await ask('Start it.')).choices[0]?.message.content).toBe('It runs.')
  await ask('Something else.')
  writeFileSync(join(root, 'go'), '')
  await expect.poll(() => existsSync(join(root, 'finished')), { timeout: 10_000 }).toBe(true)
})

test('what needs a yes is denied, since nobody is there', async () => {
  const { client, provider } = await serve([
    { calls: [{ name: 'write_file', input: { path: 'a.txt', content: 'x' } }] },
    { text: 'I could not write it.' },
  ])
  const { choices } = await client().chat.completions.create({
    model: 'reverie',
    messages: user('Write a.txt.'),
  })
  expect(choices[0]?.message.content).toBe('I could not write it.')
  expect(provider.requests[1]?.text).toMatch(/nobody is there/)
})

test('a client that goes away interrupts the agent, and what was said stays', async () => {
  const { client, provider, sessions } = await serve([
    { text: 'Well, '.repeat(20), fault: { stall: 'content' } } as Line,
  ])
  const stream = await client().chat.completions.create({
    model: 'reverie',
    messages: user('Tell me a lot.'),
    stream: true,
  })
  for await (const { choices } of stream) if (choices[0]?.delta.content) break
  stream.controller.abort()
  await expect
    .poll(
      async () => {
        const [id = ''] = await sessions.ids()
        return (await sessions.load(id)).messages.at(-1)?.stop
      },
      { timeout: 10_000 },
    )
    .toBe('interrupted')
  expect(provider.requests).toHaveLength(1)
})

test('one that goes away while it waits for the whole answer sets its session free', async () => {
  const { client, provider } = await serve([{ text: 'Well.', fault: { stall: 'content' } } as Line])
  const leaving = new AbortController()
  const ask = (signal?: AbortSignal) =>
    client(undefined, { 'X-Reverie-Session': 'desk' }).chat.completions.create(
      { model: 'reverie', messages: user('Go on.') },
      signal && { signal },
    )
  const gone = ask(leaving.signal)
  await expect.poll(() => provider.requests.length, { timeout: 10_000 }).toBe(1)
  await expect(ask()).rejects.toMatchObject({ status: 409 })
  leaving.abort()
  await expect(gone).rejects.toThrow(/abort/i)
  provider.always({ text: 'Here.' })
  const status = () =>
    ask().then(
      () => 200,
      ({ status }) => status,
    )
  await expect.poll(status, { timeout: 10_000 }).toBe(200)
})

test('what the model fails with is told in the form of OpenAI, before and after the first words', async () => {
  const { client, provider } = await serve()
  const fault = { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }
  provider.always({ fault })
  const asked = { model: 'reverie', messages: user('Hi') }
  await expect(client().chat.completions.create(asked)).rejects.toMatchObject({
    status: 502,
    code: 'model_failed',
  })
  await expect(client().chat.completions.create({ ...asked, stream: true })).rejects.toMatchObject({
    status: 502,
  })
  provider.say({ text: 'Let me see.', calls: [{ name: 'todo', input: { items: [] } }] })
  const stream = await client().chat.completions.create({ ...asked, stream: true })
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow(/key/i)
})

test('images come along; several keys, parts and parameters do what they say or are refused', async () => {
  const { client, provider, baseURL, key } = await serve([{ text: 'A dot.' }])
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const image = (at: string): Messages => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: at } },
      ],
    },
  ]
  await client().chat.completions.create({
    model: 'anthropic/claude-x',
    messages: image(url),
    temperature: 0.1,
  })
  expect(provider.requests[0]?.text).toContain('iVBORw0KGgo=')
  const refused = async (more: object) =>
    client()
      .chat.completions.create({ model: 'reverie', messages: user('Hi'), ...more })
      .then(
        () => 200,
        error => [error.status, error.param],
      )
  expect(await refused({ messages: image('http://127.0.0.1/secret.png') })).toEqual([
    400,
    'messages.0.content',
  ])
  // It would stand in the session, and fail every later request of it.
  expect(await refused({ messages: image('data:image/png;base64,AAAAA') })).toEqual([
    400,
    'messages.0.content',
  ])
  expect(await refused({ model: 'gpt-9' })).toEqual([404, 'model'])
  expect(await refused({ n: 2 })).toEqual([400, 'n'])
  expect(await refused({ tools: [{ type: 'function', function: { name: 'x' } }] })).toEqual([400, 'tools'])
  expect(await refused({ response_format: { type: 'json_object' } })).toEqual([400, 'response_format'])
  expect(await refused({ messages: [] })).toEqual([400, 'messages'])
  expect(await refused({ messages: [{ role: 'assistant', content: 'x' }] })).toEqual([400, 'messages'])
  expect(await refused({ messages: [{ role: 'tool', tool_call_id: '1', content: 'x' }] })).toEqual([
    400,
    'messages.0.role',
  ])
  const post = (path: string, body: string) =>
    fetch(`${baseURL}${path}`, { method: 'POST', body, headers: { authorization: `Bearer ${key}` } })
  expect((await post('/chat/completions', '{"x')).status).toBe(400)
  expect((await post('/embeddings', '{}')).status).toBe(404)
  expect(await (await post('/chat/completions', '7')).json()).toMatchObject({
    error: { type: 'invalid_request_error' },
  })
})
