import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { ollamaModels } from './ollama.ts'

async function serve(body: string | undefined): Promise<NodeJS.ProcessEnv> {
  const server = createServer((request, response) => {
    if (body !== undefined) response.writeHead(request.url === '/api/tags' ? 200 : 404).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each<[string, string | undefined, string[] | undefined]>([
  ['models', '{"models":[{"name":"qwen:7b"},{"name":"llama:8b"},{}]}', ['qwen:7b', 'llama:8b']],
  ['none', '{"models":[]}', []],
  ['another server', '{"hello":"there"}', undefined],
  ['a page', '<html>', undefined],
  ['silence', undefined, undefined],
])('%s', async (_, body, expected) => {
  const limitMs = body === undefined ? 100 : undefined
  expect(await ollamaModels(DEFAULTS, await serve(body), limitMs)).toEqual(expected)
})

test('nobody there', async () => {
  expect(await ollamaModels(DEFAULTS, { OLLAMA_HOST: '127.0.0.1:1' })).toBeUndefined()
})
