import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { type CacheMarkers, openModel } from './providers.ts'

const ENV = {
  ANTHROPIC_API_KEY: 'k',
  OPENAI_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  XAI_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  DEEPSEEK_API_KEY: 'k',
  AWS_BEARER_TOKEN_BEDROCK: 'k',
  AWS_REGION: 'us-east-1',
  GOOGLE_VERTEX_PROJECT: 'p',
}

test.each<[id: string, window: number, maxOutput: number, priced: boolean, markers: CacheMarkers]>([
  ['anthropic/claude-opus-5-5', 1_000_000, 128_000, true, 'anthropic'],
  ['anthropic/claude-of-tomorrow', 128_000, 8_192, false, 'anthropic'],
  ['openai/gpt-6.1-sol', 922_000, 128_000, true, 'none'],
  ['google/gemini-4-argon', 1_048_576, 65_536, true, 'none'],
  ['xai/grok-4.7', 500_000, 64_000, true, 'none'],
  ['deepseek/deepseek-v4-pro', 1_000_000, 384_000, true, 'none'],
  ['openrouter/anthropic/claude-sonnet-5.5', 1_000_000, 128_000, false, 'none'],
  ['bedrock/us.anthropic.claude-sonnet-5-5', 1_000_000, 128_000, false, 'bedrock'],
  ['bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0', 128_000, 8_192, false, 'bedrock'],
  ['bedrock/anthropic.claude-3-sonnet-20240229-v1:0', 128_000, 8_192, false, 'none'],
  ['bedrock/anthropic.claude-v2:1', 128_000, 8_192, false, 'none'],
  ['vertex/gemini-4-argon', 1_048_576, 65_536, false, 'none'],
  ['vertex/claude-sonnet-5-5', 1_000_000, 128_000, false, 'anthropic'],
  ['ollama/gpt-5', 128_000, 8_192, false, 'none'],
  ['vllm/org/model', 128_000, 8_192, false, 'none'],
])('%s', async (id, window, maxOutput, priced, cacheMarkers) => {
  const opened = await openModel(id, DEFAULTS, ENV)
  const [provider, ...name] = id.split('/')
  expect(opened).toMatchObject({ id, provider, window, maxOutput, cacheMarkers })
  expect(opened.model).toMatchObject({ specificationVersion: 'v4', modelId: name.join('/') })
  expect(opened.price !== undefined).toBe(priced)
})

test('what the owner says of a provider counts', async () => {
  const settings = {
    baseUrl: 'http://127.0.0.1:1/v1',
    window: 40_000,
    price: { input: 2, output: 8, cacheRead: 0.5 },
  }
  const opened = await openModel('mine/model', { ...DEFAULTS, providers: { mine: settings } }, {})
  expect(opened).toMatchObject({ window: 40_000, maxOutput: 10_000 })
  expect(opened.price).toEqual({ input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 })
})

/** What is resolved when a module is imported in a fresh process. */
function loadedBy(code: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context) } })
    ${code}
    console.log(JSON.stringify(seen))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

test('a command that needs no model loads no provider, and one that does loads only its own', () => {
  const heavy = /^(ai|zod|@ai-sdk\/.*)$/
  expect(loadedBy(`await import('./src/models/index.ts')`).filter(name => heavy.test(name))).toEqual([])
  const open = `
    const { openModel } = await import('./src/models/index.ts')
    const { DEFAULTS } = await import('./src/config/index.ts')
    await openModel('anthropic/claude-x', DEFAULTS, { ANTHROPIC_API_KEY: 'k' })`
  const packages = loadedBy(open).filter(name => heavy.test(name))
  expect(packages).toContain('@ai-sdk/anthropic')
  expect(packages).not.toContain('@ai-sdk/openai')
  expect(packages).not.toContain('ai')
})
