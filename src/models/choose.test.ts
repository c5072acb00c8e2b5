import { expect, test } from 'vitest'
import { type Config, DEFAULTS } from '../config/index.ts'
import { chooseModel, chooseSmallModel } from './choose.ts'

test.each<[string, Partial<Config>, NodeJS.ProcessEnv, string, string]>([
  ['what is set', { model: 'xai/m' }, { OPENAI_API_KEY: 'k' }, 'xai/m', 'it is set as the model'],
  ['a key', {}, { OPENAI_API_KEY: 'k' }, 'openai/gpt-6.1-sol', 'found in OPENAI_API_KEY'],
  [
    'of two keys the first',
    {},
    { XAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    'anthropic/claude-sonnet-5-5',
    'ANTHROPIC',
  ],
  [
    'a key in the config',
    { providers: { xai: { apiKey: 'k' } } },
    { OPENAI_API_KEY: 'k' },
    'xai/grok-4.7',
    'config.json',
  ],
  // An AWS account says nothing about language models, and must not start to cost by itself.
  [
    'an AWS account',
    {},
    { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'c' },
    'embedded',
    'no key was found',
  ],
  [
    'a key for Bedrock',
    {},
    { AWS_BEARER_TOKEN_BEDROCK: 'k' },
    'bedrock/us.anthropic.claude-sonnet-5-5',
    'AWS_BEARER',
  ],
  [
    'a key that is missing',
    { providers: { xai: { apiKey: '$' + '{GONE}' } } },
    {},
    'embedded',
    'no key was found',
  ],
  [
    'a provider nobody knows',
    { providers: { mine: { apiKey: 'k', baseUrl: 'http://x' } } },
    {},
    'embedded',
    'no key',
  ],
  ['nothing', {}, {}, 'embedded', 'no model is set and no key was found'],
])('%s', (_, settings, env, id, reason) => {
  const choice = chooseModel({ ...DEFAULTS, ...settings }, env)
  expect(choice).toEqual({ id, reason: expect.stringContaining(reason) })
})

test('side jobs go to the small model of the same provider, where it can be known to be there', () => {
  const small = (model: string, settings: Partial<Config> = {}, env: NodeJS.ProcessEnv = {}) =>
    chooseSmallModel(model, { ...DEFAULTS, ...settings }, env)
  expect(small('anthropic/claude-opus-5-5')).toBe('anthropic/claude-haiku-5-5')
  expect(small('anthropic/claude-opus-5-5', { smallModel: 'ollama/tiny' })).toBe('ollama/tiny')
  expect(small('ollama/qwen')).toBe('ollama/qwen')
  expect(small('mine/m')).toBe('mine/m')
  expect(small('embedded')).toBe('embedded')
  expect(small('openai/gpt-x', { providers: { openai: { baseUrl: 'http://127.0.0.1:1' } } })).toBe(
    'openai/gpt-x',
  )
  expect(small('openai/gpt-x', {}, { OPENAI_BASE_URL: 'http://127.0.0.1:1' })).toBe('openai/gpt-x')
})
