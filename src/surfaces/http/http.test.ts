import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ReverieError } from '../../store/index.ts'
import { hostsOf, sameOriginOnly } from './hosts.ts'
import { type AppOptions, type ListenOptions, listen, makeApp } from './index.ts'

class NoSuchThing extends ReverieError {}
class ThingBusy extends ReverieError {}

async function serve(options: Partial<ListenOptions> & AppOptions = {}) {
  const app = makeApp(options)
  app.get('/', context => context.text('hello'))
  app.post('/', async context => context.text(`${(await context.req.text()).length}`))
  app.get('/missing', () => {
    throw new NoSuchThing('There is no such thing.')
  })
  app.get('/busy', () => {
    throw new ThingBusy('It is busy.')
  })
  app.get('/broken', () => {
    throw new Error('inner detail')
  })
  app.use('/own/*', sameOriginOnly())
  app.all('/own/*', context => context.text('mine'))
  const server = await listen(app.fetch, { port: 0, ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

/** What is sent as it is, and all that comes back until the other side closes. */
function say(port: number, text: string, more?: () => string | undefined): Promise<string> {
  return new Promise(resolve => {
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      dripping = setInterval(() => {
        const next = more?.()
        if (next !== undefined && socket.writable) socket.write(next)
      }, 20)
    })
    let heard = ''
    socket.on('data', data => {
      heard += data
    })
    socket.on('error', () => {}) // being cut off is what some tests are about
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(heard)
    })
  })
}

test.each([
  ['127.0.0.1', ['127.0.0.1', 'localhost', '[::1]'], ['evil.example', '192.168.0.7']],
  ['192.168.0.7', ['192.168.0.7', 'localhost'], ['192.168.0.8', 'evil.example']],
  ['0.0.0.0', ['127.0.0.1'], ['evil.example']],
])('a server on %s answers to its own names alone', (address, own, others) => {
  const hosts = hostsOf(address)
  for (const host of own) expect(hosts.has(host), host).toBe(true)
  for (const host of others) expect(hosts.has(host), host).toBe(false)
})

test('a name that somebody else points here is refused, whatever it asks for', async () => {
  const { port } = await serve()
  const ask = (host: string) => say(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(await ask(`localhost:${port}`)).toMatch(/^HTTP\/1.1 200[\s\S]*hello$/)
  expect(await ask(`evil.example:${port}`)).toMatch(/^HTTP\/1.1 421[\s\S]*does not answer to that name/)
  expect(await ask('evil.example')).toContain('421')
})

test('pages of other sites are refused, and what changes something says where it comes from', async () => {
  const { url } = await serve()
  const ask = async (method: string, headers: Record<string, string>) =>
    (await fetch(`${url}/own/thing`, { method, headers })).status
  expect(await ask('GET', {})).toBe(200)
  expect(await ask('GET', { 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await ask('GET', { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await ask('GET', { origin: 'http://evil.example' })).toBe(403)
  expect(await ask('POST', { origin: url })).toBe(200)
  expect(await ask('POST', {})).toBe(403)
  expect(await ask('POST', { origin: 'null' })).toBe(403)
  expect(await ask('POST', { origin: url.replace(/\d+$/, '1') })).toBe(403)
})

test('a body that is too large is refused at once, told in its length or not', async () => {
  const { url, port } = await serve({ bodyBytes: 2 ** 20 })
  const told = await fetch(url, { method: 'POST', body: Buffer.alloc(50 * 2 ** 20) }).catch(() => undefined)
  if (told) expect([told.status, await told.text()]).toEqual([413, '{"error":"A request is at most 1 MB."}'])
  const head = `POST / HTTP/1.1\r\nHost: localhost:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let sent = 0
  const heard = await say(port, head, () => (sent++ < 40 ? chunk : undefined))
  expect(heard).toContain('413')
  expect(sent).toBeLessThan(40)
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1000) })).status).toBe(200)
})

/** Node cannot tell requests apart that begin at the same tick of a coarse clock. */
const apart = () => sleep(100)

test('whoever is slow with a request is cut off, and others are answered meanwhile', async () => {
  const { url, port } = await serve({ patience: { headers: 300, request: 600 } })
  const slowHead = say(port, 'GET / HTTP/1.1\r\n', () => 'X-More: 1\r\n')
  await apart()
  const length = `Host: localhost:${port}\r\nContent-Length: 100000`
  const slowBody = say(port, `POST / HTTP/1.1\r\n${length}\r\n\r\n`, () => 'x')
  await apart()
  expect(await (await fetch(url)).text()).toBe('hello')
  expect(await slowHead).toContain('408')
  expect(await slowBody).toContain('408')
})

test('closing ends every connection, however many began at once', async () => {
  const server = await serve()
  const begun = Array.from({ length: 8 }, () => say(server.port, 'GET / HTTP/1.1\r\n'))
  expect(await (await fetch(server.url)).text()).toBe('hello')
  await server[Symbol.asyncDispose]()
  await Promise.all(begun)
})

test('errors are sentences with a fitting status, and nothing inner is told', async () => {
  const logged: string[] = []
  const { url } = await serve({ log: text => logged.push(text) })
  const ask = async (path: string) => {
    const response = await fetch(url + path)
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  expect(await ask('/missing?token=secret')).toEqual([404, 'There is no such thing.'])
  expect(await ask('/busy')).toEqual([409, 'It is busy.'])
  expect(await ask('/nowhere')).toEqual([404, 'There is nothing at this address.'])
  const [status, sentence] = await ask('/broken?token=secret')
  expect([status, String(sentence).includes('inner detail')]).toEqual([500, false])
  expect(logged.join()).toContain('GET /broken: Error: inner detail')
  expect(logged.join()).not.toContain('secret')
})

test('every answer carries the headers that keep a page to itself', async () => {
  const { url } = await serve()
  const { headers } = await fetch(url)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a port that is taken is said, or another one is used where that was asked for', async () => {
  const { port } = await serve()
  await expect(serve({ port })).rejects.toThrow(/something else listens there. Choose another with --port/)
  expect((await serve({ port, orAnother: true })).port).not.toBe(port)
})
