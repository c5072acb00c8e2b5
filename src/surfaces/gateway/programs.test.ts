import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Keys } from '../keys/index.ts'
import { programsPart } from './programs.ts'

async function start(withMemory = true) {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const { key } = await new Keys(home).create('test')
  let url = ''
  const ending = new AbortController()
  const part = await programsPart({ port: 0, withMemory }).start({
    home,
    project: { root, slug: 'p-1' },
    env: {},
    configOf: async () => ({ ...DEFAULTS, model: 'embedded' }),
    log() {},
    note: text => {
      url = text.split(' ')[0] ?? ''
    },
    signal: ending.signal,
  })
  onTestFinished(() => part[Symbol.asyncDispose]())
  return { url, key }
}

test('with one key a program talks to the agent over the API, and finds over MCP what was remembered', async () => {
  const { url, key } = await start()
  const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const { choices } = await openai.chat.completions.create({
    model: 'reverie',
    messages: [{ role: 'user', content: 'I prefer tabs for indentation. Remember that.' }],
  })
  expect(choices[0]?.message.content).toContain('Prefers tabs')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  onTestFinished(() => client.close())
  const { structuredContent } = await client.callTool({
    name: 'memory_recall',
    arguments: { query: 'how do I indent?' },
  })
  expect(JSON.stringify(structuredContent)).toContain('Prefers tabs')
  expect((await fetch(`${url}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  // What is too long is said in the form of whoever was asked, and not read for nobody.
  const long = { method: 'POST', body: new Uint8Array(33 * 2 ** 20) }
  const asked = openai.chat.completions.create({
    model: 'reverie',
    messages: [{ role: 'user', content: 'x'.repeat(33 * 2 ** 20) }],
  })
  await expect(asked).rejects.toMatchObject({ status: 413, code: 'too_large' })
  expect((await fetch(`${url}/v1/chat/completions`, long)).status).toBe(401)
})

test('without memory there is an agent and nothing to lend', async () => {
  const { url, key } = await start(false)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/mcp`, { method: 'POST', headers })).status).toBe(404)
})
