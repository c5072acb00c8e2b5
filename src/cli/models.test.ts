import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BIN, reverie } from './reverie.fixture.ts'

/** Nobody listens there: the Ollama of the machine that runs the tests is none of theirs. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' }

const listed = (env: NodeJS.ProcessEnv = {}, home = temporaryDirectory(), args: string[] = []) =>
  JSON.parse(reverie(['models', '--json', ...args], { home, env: { ...NO_OLLAMA, ...env } }).stdout)

test('with nothing configured there is embedded, and how to connect a model', () => {
  expect(listed()).toEqual({
    chosen: 'embedded',
    reason: 'no model is set and no key was found',
    providers: [{ provider: 'embedded', key: null, models: ['embedded'] }],
  })
  const { code, stdout, stderr } = reverie(['models'], { home: temporaryDirectory(), env: NO_OLLAMA })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('export ANTHROPIC_API_KEY=…')
})

test('tells where keys are, which model is used and why, and never a key', () => {
  const home = temporaryDirectory()
  const providers = {
    mine: { baseUrl: 'https://mine.example/v1', apiKey: 'sk-in-clear' },
    xai: { apiKey: '$' + '{GONE}' },
  }
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ providers, smallModel: 'mine/tiny' }))
  const env = { ...NO_OLLAMA, OPENAI_API_KEY: 'sk-secret-1', ANTHROPIC_API_KEY: 'sk-secret-2' }
  const ran = reverie(['models', '--json'], { home, env })
  expect(JSON.parse(ran.stdout)).toEqual({
    chosen: 'anthropic/claude-sonnet-5-5',
    reason: 'the key of anthropic was found in ANTHROPIC_API_KEY',
    providers: [
      { provider: 'mine', key: 'config.json', models: ['mine/tiny'] },
      {
        provider: 'anthropic',
        key: 'ANTHROPIC_API_KEY',
        models: ['anthropic/claude-sonnet-5-5', 'anthropic/claude-haiku-5-5', 'anthropic/claude-opus-5-5'],
      },
      { provider: 'openai', key: 'OPENAI_API_KEY', models: expect.arrayContaining(['openai/gpt-6.1-sol']) },
      { provider: 'embedded', key: null, models: ['embedded'] },
    ],
  })
  expect(ran.stderr).toBe('The key of xai should be in GONE, which is not set.\n')
  const asText = reverie(['models'], { home, env })
  expect(asText.stdout).toMatch(/^anthropic\/claude-sonnet-5-5, because the key of anthropic was found/)
  expect(asText.stdout).toMatch(/^mine +config\.json +mine\/tiny$/m)
  expect(ran.stdout + asText.stdout + asText.stderr).not.toMatch(/secret|clear/)
})

test('a model that was set is named with where, and with what it lacks', () => {
  const home = temporaryDirectory()
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ model: 'openai/gpt-x' }))
  expect(listed({}, home)).toMatchObject({
    chosen: 'openai/gpt-x',
    reason: 'your config.json says so',
    problem: expect.stringContaining('export OPENAI_API_KEY=…'),
  })
  expect(listed({}, home, ['--model', 'embedded'])).toMatchObject({
    chosen: 'embedded',
    reason: '--model says so',
  })
  expect(listed({ REVERIE_MODEL: 'vllm/m' }, home)).toMatchObject({ reason: 'REVERIE_MODEL says so' })
  expect(reverie(['models'], { home, env: NO_OLLAMA }).stdout).toContain('! openai/gpt-x needs a key')
})

test('asks a running Ollama for what is installed', async () => {
  const server = createServer((request, response) => {
    expect(request.url).toBe('/api/tags')
    response.end(JSON.stringify({ models: [{ name: 'qwen:7b' }, { name: 'bad\u001b[2J' }] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const home = temporaryDirectory()
  const OLLAMA_HOST = `127.0.0.1:${(server.address() as AddressInfo).port}`
  // Not `spawnSync`: the server is in this process.
  const run = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home, REVERIE_HOME: home, OLLAMA_HOST }
    return text(spawn(BIN, ['models', ...args], { cwd: home, env }).stdout)
  }
  expect(JSON.parse(await run('--json')).providers).toEqual([
    { provider: 'ollama', key: null, models: ['ollama/qwen:7b', 'ollama/bad\u001b[2J'] },
    { provider: 'embedded', key: null, models: ['embedded'] },
  ])
  const asText = await run()
  expect(asText).toContain('ollama/qwen:7b')
  expect(asText).not.toContain('\u001b[2J')
})
