import { expect, test } from 'vitest'
import { type Config, DEFAULTS } from '../config/index.ts'
import { findConnection } from './connection.ts'
import { ModelUnavailable } from './model-id.ts'

const withProviders = (providers: Config['providers']): Config => ({ ...DEFAULTS, providers })
const reference = (name: string) => `\${${name}}`

test('the config’s key and address win over those of the environment', () => {
  const env = { OPENAI_API_KEY: 'from-env', OPENAI_BASE_URL: 'https://env.example/v1', MINE: 'mine' }
  expect(findConnection('openai/gpt-x', DEFAULTS, env)).toEqual({
    id: 'openai/gpt-x',
    provider: 'openai',
    name: 'gpt-x',
    kind: 'openai',
    baseUrl: 'https://env.example/v1',
    apiKey: 'from-env',
  })
  const config = withProviders({ openai: { apiKey: reference('MINE'), baseUrl: 'https://mine.example' } })
  expect(findConnection('openai/gpt-x', config, env)).toMatchObject({
    baseUrl: 'https://mine.example/v1',
    apiKey: 'mine',
  })
})

test('local servers need no key, and any server with an address is a provider', () => {
  expect(findConnection('ollama/qwen:7b', DEFAULTS, {})).toMatchObject({
    kind: 'compatible',
    name: 'qwen:7b',
    baseUrl: 'http://127.0.0.1:11434/v1',
  })
  expect(findConnection('ollama/x', DEFAULTS, { OLLAMA_HOST: 'box' }).baseUrl).toBe('http://box:11434/v1')
  expect(findConnection('vllm/org/model', DEFAULTS, {})).toMatchObject({ name: 'org/model' })
  const config = withProviders({ mine: { baseUrl: 'https://mine.example/v1' } })
  expect(findConnection('mine/m', config, { OPENAI_API_KEY: 'not for them' })).toEqual({
    id: 'mine/m',
    provider: 'mine',
    name: 'm',
    kind: 'compatible',
    baseUrl: 'https://mine.example/v1',
  })
  expect(findConnection('embedded', DEFAULTS, {})).toMatchObject({ kind: 'embedded' })
})

test('clouds have accounts in place of keys', () => {
  const aws = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-west-1' }
  expect(findConnection('bedrock/m', DEFAULTS, aws)).not.toHaveProperty('apiKey')
  const token = { AWS_BEARER_TOKEN_BEDROCK: 'c', AWS_REGION: 'eu-west-1' }
  expect(findConnection('bedrock/m', DEFAULTS, token)).toMatchObject({ apiKey: 'c' })
  const google = { GOOGLE_VERTEX_PROJECT: 'p' }
  expect(findConnection('vertex/gemini-x', DEFAULTS, google)).not.toHaveProperty('apiKey')
})

test.each<[string, string, NodeJS.ProcessEnv, Config['providers'], string]>([
  ['a malformed string', 'gpt', {}, {}, '"gpt" is not a model: expected "embedded" or PROVIDER/MODEL'],
  ['nothing', '', {}, {}, '"" is not a model'],
  ['an unknown provider', 'acme/x', {}, {}, 'reverie config set providers.acme.baseUrl https://HOST/v1'],
  ['a name of JavaScript', 'constructor/x', {}, {}, 'there is no provider "constructor"'],
  [
    'a missing key',
    'openai/x',
    {},
    {},
    'openai/x needs a key: export OPENAI_API_KEY=…, or run `reverie config set providers.openai.apiKey …`.',
  ],
  [
    'a reference to nothing',
    'openai/x',
    { OPENAI_API_KEY: 'another' },
    { openai: { apiKey: reference('GONE') } },
    'providers.openai.apiKey refers to GONE, which is not set: export GONE=….',
  ],
  [
    'half an account',
    'bedrock/x',
    { AWS_ACCESS_KEY_ID: 'a' },
    {},
    'export AWS_BEARER_TOKEN_BEDROCK=…, or export AWS_',
  ],
  ['no region', 'bedrock/x', { AWS_BEARER_TOKEN_BEDROCK: 'a' }, {}, 'needs a region: export AWS_REGION=….'],
  ['no project', 'vertex/x', {}, {}, 'GOOGLE_VERTEX_PROJECT=…'],
])('%s gets one sentence that names the setting', (_, id, env, providers, message) => {
  const find = () => findConnection(id, withProviders(providers), env)
  expect(find).toThrow(ModelUnavailable)
  expect(find).toThrow(message)
})
