import { expect, test } from 'vitest'
import { PROVIDERS } from '../../models/index.ts'
import { commandEnvironment, isSecretName } from './environment.ts'

test('every name under which a key of a known provider is looked for is kept back, but for those of others too', () => {
  const names = Object.values(PROVIDERS).flatMap(({ keys }) => keys.flat())
  const given = names.filter(name => !isSecretName(name))
  expect(given.sort()).toEqual([
    'AWS_ACCESS_KEY_ID',
    'AWS_REGION',
    'AWS_SECRET_ACCESS_KEY',
    'GOOGLE_VERTEX_PROJECT',
  ])
})

test.each([
  ['OPENAI_API_KEY', true],
  ['AZURE_OPENAI_API_KEY', true],
  ['openai_api_key', true],
  ['ANTHROPIC_AUTH_TOKEN', true],
  ['CLAUDE_CODE_OAUTH_TOKEN', true],
  ['HF_TOKEN', true],
  ['REVERIE_HOME', true],
  ['REVERIE_ANYTHING', true],
  ['OPENAI_BASE_URL', false],
  ['GITHUB_TOKEN', false],
  ['NPM_TOKEN', false],
  ['STRIPE_API_KEY', false],
  ['PATH', false],
  ['GOOGLE_APPLICATION_CREDENTIALS', false],
])('%s is kept back: %s', (name, keptBack) => {
  expect(isSecretName(name)).toBe(keptBack)
})

test('the mark of a command is added to that of the one it runs in', () => {
  expect(commandEnvironment({ A: '1', PAGER: 'less' }, 'x')).toEqual({
    A: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    REVERIE_COMMAND: 'x',
  })
  expect(commandEnvironment({ REVERIE_COMMAND: 'w' }, 'x').REVERIE_COMMAND).toBe('w:x')
})

test('nothing that makes a shell mean something else reaches it', () => {
  const steering = {
    BASH_ENV: 'x',
    ENV: 'x',
    GLOBIGNORE: '*',
    CDPATH: '/',
    'BASH_FUNC_ls%%': '() { rm; }',
    SHELLOPTS: 'x',
    RIPGREP_CONFIG_PATH: 'x',
  }
  const kept = commandEnvironment({ ...steering, PATH: '/bin' }, 'm')
  for (const name of Object.keys(steering)) expect(kept[name], name).toBeUndefined()
  expect(kept.PATH).toBe('/bin')
})
