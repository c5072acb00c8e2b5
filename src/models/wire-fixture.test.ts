import { expect, test } from 'vitest'
import { type FakeProvider, startFakeProvider } from './wire.fixture.ts'

const post = (provider: FakeProvider, path: string, body: object = { model: 'm' }) =>
  fetch(`${provider.url}${path}`, { method: 'POST', body: JSON.stringify(body) })

test('records what was asked, and says so when there is nothing left to say', async () => {
  await using provider = await startFakeProvider({ text: 'One.' }, ({ body, n }) => ({
    text: `${body.model} ${n}`,
  }))
  expect(await (await post(provider, '/v1/messages')).json()).toMatchObject({ content: [{ text: 'One.' }] })
  const second = await (await post(provider, '/v1/chat/completions')).json()
  expect(second).toMatchObject({ choices: [{ message: { content: 'm 1' } }] })
  expect(provider.left).toBe(0)
  const dry = await post(provider, '/v1/messages')
  expect([dry.status, await dry.text()]).toEqual([
    500,
    expect.stringContaining('nothing to say to request 3'),
  ])
  expect((await post(provider, '/elsewhere')).status).toBe(500)
  expect(provider.unanswered.map(({ path }) => path)).toEqual(['/v1/messages', '/elsewhere'])
  expect(provider.requests).toHaveLength(4)
  expect(provider.requests[0]).toMatchObject({
    path: '/v1/messages',
    body: { model: 'm' },
    text: '{"model":"m"}',
  })
})

test('is whole as well as streamed, on every wire', async () => {
  await using provider = await startFakeProvider()
  provider.always({ text: 'Hello.', calls: [{ id: 'c1', name: 'look', input: { at: 'a' } }] })
  for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/responses']) {
    const whole = await (await post(provider, path)).text()
    expect(JSON.parse(whole)).toBeTypeOf('object')
    const streamed = await (await post(provider, path, { model: 'm', stream: true })).text()
    expect(streamed).toMatch(/^(event|data): /)
    for (const text of [whole, streamed]) expect(text).toContain('c1')
  }
})

test('a closed port opens again when its time is over', async () => {
  await using provider = await startFakeProvider({ text: 'A' }, { fault: { refuse: 100 } }, { text: 'B' })
  expect((await post(provider, '/v1/messages')).status).toBe(200)
  await expect(post(provider, '/v1/messages')).rejects.toThrow('fetch failed')
  await expect
    .poll(() =>
      post(provider, '/v1/messages').then(
        r => r.text(),
        () => '',
      ),
    )
    .toContain('"B"')
})

test('closing leaves nobody waiting', async () => {
  const provider = await startFakeProvider({ fault: { stall: 'request' } })
  const waiting = post(provider, '/v1/messages')
  await expect.poll(() => provider.requests.length).toBe(1)
  await provider.close()
  await expect(waiting).rejects.toThrow('fetch failed')
  await expect(post(provider, '/v1/messages')).rejects.toThrow('fetch failed')
})
