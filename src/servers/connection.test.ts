import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import type { Connection } from './connection.ts'
import { connectionTo, program, webServer } from './servers.fixture.ts'

const never = { signal: new AbortController().signal, progress() {} }

const say = (connection: Connection, text: string) => connection.call('echo', { text }, never)
const heard = (text: string) => ({ content: [{ type: 'text', text: `heard ${text}` }] })

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a server that dies is started again with the next call, and no call is made twice', async () => {
  const connection = connectionTo(
    program({
      call: `if (params.arguments.text === 'die') { console.error('out of luck'); process.exit(3) }
        reply(id, { content: [{ type: 'text', text: 'heard ' + params.arguments.text }] })`,
    }),
  )
  expect(await say(connection, 'a')).toMatchObject(heard('a'))
  await expect(say(connection, 'die')).rejects.toThrow(/it ended with code 3.*out of luck/)
  expect(connection.state).toBe('lost')
  expect(await say(connection, 'b')).toMatchObject(heard('b'))
})

test('one that cannot be started says why, and is not tried again at once', async () => {
  const missing = connectionTo({ command: '/nowhere/such-server' })
  await expect(missing.connect()).rejects.toThrow(/such-server could not be started.*does not exist/)
  await expect(missing.connect()).rejects.toThrow(/tried again in a while/)
  const broken = connectionTo(program({ start: `console.error('no database'); process.exit(1)` }))
  await expect(broken.connect()).rejects.toThrow(/ended with code 1.*no database/)
})

test('one that hangs is given up for a call, and made anew after three', async () => {
  const marks = join(temporaryDirectory(), 'starts')
  const hanging = program({
    start: `require('node:fs').appendFileSync(${JSON.stringify(marks)}, 'x')`,
    call: `if (params.arguments.text !== 'hang') reply(id, { content: [] })`,
  })
  const connection = connectionTo({ ...hanging, callMs: 50 })
  for (const _ of [1, 2]) await expect(say(connection, 'hang')).rejects.toThrow(/said nothing in time/)
  await expect(say(connection, 'hang')).rejects.toThrow(/connected anew/)
  await say(connection, 'on')
  expect(readFileSync(marks, 'utf8')).toBe('xx')
  const slow = connectionTo({ ...program({ any: 'return' }), startMs: 50 })
  await expect(slow.connect()).rejects.toThrow(/could not be reached: it said nothing in time/)
})

test.each([
  [
    'garbage',
    `for (let at = 0; at < 1000; at++) console.log('starting up', at)`,
    /not of the protocol.*starting up 0/,
  ],
  ['a line without an end', `process.stdout.write('x'.repeat(40e6))`, /a line of more than/],
  [
    'messages that nobody asked for',
    `for (let at = 0; at < 5000; at++) send({ method: 'notifications/message', params: { level: 'info', data: at } })`,
    /nobody asked for/,
  ],
])('one that writes %s is ended, and what it did is told', async (_, call, why) => {
  const connection = connectionTo(program({ call }))
  await connection.connect()
  await expect(say(connection, 'x')).rejects.toThrow(why)
})

test('a banner on its standard output is forgiven', async () => {
  const connection = connectionTo(
    program({ start: `console.log('Small server, version 1'); console.log('{"jsonrpc":1}')` }),
  )
  expect(await say(connection, 'a')).toMatchObject(heard('a'))
})

test('it ends with all that it has started, also when that does not want to', async () => {
  const file = join(temporaryDirectory(), 'pids')
  const stubborn = `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}); setInterval(() => {}, 1000);`
  const connection = connectionTo(
    program({
      start: `${stubborn}
        const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${stubborn} console.log('up')`)}])
        child.stdout.once('data', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid))`,
    }),
  )
  await connection.connect()
  const pids = await expect
    .poll(() => readFileSync(file, 'utf8').split(' ').map(Number), { timeout: 10_000 })
    .toHaveLength(2)
    .then(() => readFileSync(file, 'utf8').split(' ').map(Number))
  await connection.close()
  await expect.poll(() => pids.some(isAlive), { timeout: 10_000 }).toBe(false)
  await expect(say(connection, 'a')).rejects.toThrow(/is over/)
})

test('it is given what its settings name, and no keys of ours', async () => {
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-1', MY_TOKEN: 'secret', LANG: 'C' }
  const settings = program({
    call: `reply(id, { content: [], structuredContent: { env: process.env, args: process.argv } })`,
  })
  const connection = connectionTo(
    {
      ...settings,
      args: [...(settings.args ?? []), `\${NONE:-otherwise}`],
      env: { TOKEN: `Bearer \${MY_TOKEN}` },
    },
    env,
  )
  const { structuredContent } = await say(connection, 'x')
  const told = structuredContent as { env: Record<string, string>; args: string[] }
  expect(told.env).toMatchObject({ TOKEN: 'Bearer secret', LANG: 'C' })
  expect(told.env).not.toHaveProperty('ANTHROPIC_API_KEY')
  expect(told.env).not.toHaveProperty('MY_TOKEN')
  expect(told.args.at(-1)).toBe('otherwise')
  await expect(connectionTo({ ...settings, env: { A: `\${NOWHERE}` } }).connect()).rejects.toThrow(
    /the environment has no NOWHERE/,
  )
})

test('what a server asks of us is refused, except where the project is', async () => {
  const asking = `if (id === 'r1' || id === 'r2' || id === 'r3') { answers[id] = error ? error.code : result; return }
    if (method === 'tools/call') {
      send({ id: 'r1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
      send({ id: 'r2', method: 'elicitation/create', params: { message: 'Your password?', requestedSchema: { type: 'object', properties: {} } } })
      send({ id: 'r3', method: 'roots/list' })
      const timer = setInterval(() => {
        if (Object.keys(answers).length < 3) return
        clearInterval(timer)
        reply(id, { content: [], structuredContent: answers })
      }, 5)
      return
    }`
  const connection = connectionTo(program({ start: 'const answers = {}', any: asking }))
  const { structuredContent } = await say(connection, 'x')
  expect(structuredContent).toMatchObject({
    r1: -32_601,
    r2: -32_601,
    r3: { roots: [{ uri: expect.stringMatching(/^file:\/\//) }] },
  })
})

test('a list that has changed is listed again; entries that cannot be read or called hide no others', async () => {
  const inputSchema = { type: 'object' }
  const asTask = { name: 'task', inputSchema, execution: { taskSupport: 'required' } }
  const tools = [asTask, { name: 'echo', inputSchema }, { name: 7 }, 'nonsense']
  const connection = connectionTo(
    program({
      tools,
      call: `tools = [...tools, { name: 'later', inputSchema: { type: 'object' } }]
        send({ method: 'notifications/tools/list_changed' }); reply(id, { content: [] })`,
    }),
  )
  await connection.connect()
  expect(connection.tools.map(({ remote }) => remote)).toEqual(['echo'])
  await say(connection, 'x')
  await expect
    .poll(() => connection.tools.map(({ remote }) => remote), { timeout: 10_000 })
    .toEqual(['echo', 'later'])
})

test('a call is given up when the person interrupts, and the server is told', async () => {
  const file = join(temporaryDirectory(), 'heard')
  const connection = connectionTo(
    program({ call: '', any: `require('node:fs').writeFileSync(${JSON.stringify(file)}, method)` }),
  )
  await connection.connect()
  const person = new AbortController()
  const calling = connection.call('echo', { text: 'x' }, { signal: person.signal, progress() {} })
  const heardLast = () => expect.poll(() => readFileSync(file, 'utf8'), { timeout: 10_000 })
  await heardLast().toBe('tools/call')
  person.abort()
  await expect(calling).rejects.toThrow()
  await heardLast().toBe('notifications/cancelled')
})

test('at an address: calls, a session that is gone is begun anew, three errors make a new connection', async () => {
  const server = await webServer()
  const connection = connectionTo({ url: server.url, headers: { authorization: 'Bearer k' } })
  const add = () => connection.call('add', { a: 1, b: 2 }, never)
  expect(await add()).toMatchObject({ content: [{ text: '3' }] })
  expect(connection.instructions).toBe('Ask politely.')
  expect(server.asked.every(({ headers }) => headers.get('authorization') === 'Bearer k')).toBe(true)
  server.forget()
  expect(await add()).toMatchObject({ content: [{ text: '3' }] })
  const begun = () => server.asked.filter(({ headers }) => headers.get('mcp-session-id') === null).length
  const before = begun()
  for (const _ of [1, 2, 3]) {
    server.instead.push(() => new Response('<html>bad gateway', { status: 502 }))
    await expect(add()).rejects.toThrow(/bad gateway/)
  }
  expect(await add()).toMatchObject({ content: [{ text: '3' }] })
  expect(begun()).toBe(before + 1)
  server.instead.push(() => new Response('not the protocol', { headers: { 'content-type': 'text/plain' } }))
  await expect(add()).rejects.toThrow(/content type/i)
  await connection.close()
  expect(server.asked.at(-1)?.method).toBe('DELETE')
})

test('an address that lets nobody in, leads elsewhere, or is none, and a header that would be two', async () => {
  const server = await webServer()
  server.instead.push(() => new Response('who are you?', { status: 401 }))
  await expect(connectionTo({ url: server.url }).connect()).rejects.toThrow(/right key \(401\)/)
  server.instead.push(
    () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.2:1/mcp' } }),
  )
  await expect(connectionTo({ url: server.url }).connect()).rejects.toThrow(/Redirect/)
  await expect(connectionTo({ url: 'file:///etc/passwd' }).connect()).rejects.toThrow(/not one of http/)
  const split = connectionTo({ url: server.url, headers: { 'x-a': `\${V}` } }, { V: 'a\r\nx-b: c' })
  await expect(split.connect()).rejects.toThrow(/"x-a".*cannot be sent/)
  await expect(connectionTo({ url: 'http://127.0.0.1:1/mcp' }).connect()).rejects.toThrow(
    /could not be reached/,
  )
})
