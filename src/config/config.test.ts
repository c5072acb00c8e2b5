import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { ConfigError, checkConfig } from './check.ts'
import { DEFAULTS } from './defaults.ts'
import { editConfig } from './edit.ts'
import { HomeUnusable, homeAt, prepareHome } from './home.ts'
import { type ConfigFlags, ConfigUnreadable, InvalidSetting, loadConfig, resolveSecret } from './load.ts'
import { configSchema } from './schema.ts'
import { allSettings } from './settings.ts'

function setUp(files: { owner?: unknown; project?: unknown } = {}) {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, 'home'))
  const project = { root: join(directory, 'project'), slug: 'project-0' }
  const write = (path: string, content: unknown) => {
    fs.mkdirSync(join(path, '..'), { recursive: true })
    fs.writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  if (files.owner !== undefined) write(home.config, files.owner)
  if (files.project !== undefined) write(join(project.root, '.reverie', 'config.json'), files.project)
  const load = (env: NodeJS.ProcessEnv = {}, flags: ConfigFlags = {}) =>
    loadConfig({ home, project, env, flags })
  return { directory, home, project, load }
}

test('the defaults are those of the schema, and every setting is described', () => {
  expect(configSchema.parse({})).toEqual(DEFAULTS)
  expect(allSettings().map(({ key }) => key)).toContain('providers.*.apiKey')
  for (const { key, description } of allSettings()) expect(description, key).not.toBe('')
})

test('flags win over the environment, that over the owner, that over the project', async () => {
  const { load } = setUp({ owner: { model: 'openai/owner' }, project: { model: 'openai/project' } })
  const env = { REVERIE_MODEL: 'openai/environment' }
  expect((await load(env, { model: 'openai/flag' })).config.model).toBe('openai/flag')
  expect((await load(env)).config.model).toBe('openai/environment')
  expect((await load()).config.model).toBe('openai/owner')
  expect((await load()).sources.get('model')).toBe('owner')
  const alone = setUp({ project: { model: 'openai/project' } })
  expect((await alone.load()).config.model).toBe('openai/project')
  expect((await setUp().load()).config).toEqual(DEFAULTS)
})

test.each<[string, unknown, string]>([
  ['an unknown key', { modle: 'x/y' }, '"modle" is not a setting; did you mean "model"?'],
  [
    'an unknown inner key',
    { memory: { dri: '/x' } },
    '"memory.dri" is not a setting; did you mean "memory.dir"?',
  ],
  [
    'a key of a provider',
    { providers: { openai: { apikey: 'x' } } },
    'did you mean "providers.openai.apiKey"?',
  ],
  ['nothing near', { zzzzzzzzzzzz: 1 }, '"zzzzzzzzzzzz" is not a setting.'],
  ['a wrong type', { model: 3 }, '"model": expected string, received number'],
  ['a wrong form', { model: 'gpt' }, '"model": expected "embedded" or PROVIDER/MODEL'],
  ['a wrong address', { providers: { x: { baseUrl: 'file:///etc' } } }, '"providers.x.baseUrl": Invalid URL'],
  [
    'a provider name',
    { providers: { __PROTO__: {} } },
    '"providers.__PROTO__": a provider is named in lower case',
  ],
  ['a fallback of a wrong form', { fallbackModel: 'gpt' }, '"fallbackModel": expected "embedded" or'],
  ['a budget of nothing', { budget: { usd: 0 } }, '"budget.usd": Too small'],
  ['half a turn', { maxTurns: 1.5 }, '"maxTurns": expected int'],
  ['a list', [], 'it should hold a JSON object'],
  ['null', null, 'it should hold a JSON object'],
])('refuses %s, naming file, key and what is right', async (_, owner, message) => {
  const { load, home } = setUp({ owner: JSON.stringify(owner) })
  const before = fs.readFileSync(home.config, 'utf8')
  await expect(load()).rejects.toThrow(ConfigError)
  await expect(load()).rejects.toThrow(message)
  await expect(load()).rejects.toThrow(home.config)
  await expect(editConfig(home, 'model', 'embedded')).rejects.toThrow(ConfigError)
  expect(fs.readFileSync(home.config, 'utf8')).toBe(before)
})

test.each([
  ['{"model": ', 'is not valid JSON'],
  ['{\n  // my model\n  "model": "x/y"\n}', 'Comments are not allowed'],
  ['', 'is not valid JSON'],
])('refuses %j without touching it', async (text, message) => {
  const { load, home } = setUp({ owner: text })
  await expect(load()).rejects.toThrow(ConfigUnreadable)
  await expect(load()).rejects.toThrow(message)
  await expect(editConfig(home, 'model', 'embedded')).rejects.toThrow(ConfigUnreadable)
  expect(fs.readFileSync(home.config, 'utf8')).toBe(text)
})

test('a project cannot set what is the owner’s alone', async () => {
  for (const project of [
    { memory: { dir: '/root/.ssh' } },
    { providers: { anthropic: { baseUrl: 'https://evil.example' } } },
    { home: '/tmp' },
    { budget: { usd: 1_000 } },
    { web: { allowPrivate: ['127.0.0.1'] } },
    { web: { searxngUrl: 'https://evil.example' } },
  ]) {
    const { load } = setUp({ project })
    await expect(load()).rejects.toThrow(ConfigError)
  }
  expect(() => checkConfig('f', { memory: { dir: '/x' } }, 'project')).toThrow(
    '"memory.dir" can only be set by you, not by a project. Projects may set: model, fallbackModel, smallModel, maxTurns, permissions.ask, permissions.deny.',
  )
})

test('a home that is a project’s own .reverie directory is the owner’s config', async () => {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, '.reverie'))
  await editConfig(home, 'memory.dir', '/somewhere')
  const loaded = await loadConfig({ home, project: { root: directory, slug: 'x' }, env: {}, flags: {} })
  expect(loaded.config.memory.dir).toBe('/somewhere')
})

test('a directory in the config means the same wherever it is used from; flags are of here', async () => {
  const { home, load } = setUp({ owner: { memory: { dir: 'notes' } } })
  expect((await load()).config.memory.dir).toBe(join(home.path, 'notes'))
  expect((await load({}, { memoryDir: 'here' })).config.memory.dir).toBe(join(process.cwd(), 'here'))
  await expect(load({}, { model: 'gpt' })).rejects.toThrow(InvalidSetting)
  await expect(load({ REVERIE_MODEL: 'gpt' })).rejects.toThrow('"gpt" is not a model')
  await expect(editConfig(home, 'providers.__proto__.apiKey', 'x')).rejects.toThrow('is not a setting')
  await expect(editConfig(home, 'permissions', 'x')).rejects.toThrow(/"permissions" is not a setting\. /)
})

test('set and unset keep the rest, and leave plain private JSON', async () => {
  const { home } = setUp()
  await editConfig(home, 'model', 'anthropic/a')
  await editConfig(home, 'providers.ollama.baseUrl', 'http://127.0.0.1:11434')
  expect(JSON.parse(fs.readFileSync(home.config, 'utf8'))).toEqual({
    model: 'anthropic/a',
    providers: { ollama: { baseUrl: 'http://127.0.0.1:11434' } },
  })
  expect(fs.statSync(home.config).mode & 0o777).toBe(0o600)
  expect(fs.statSync(home.path).mode & 0o777).toBe(0o700)
  await editConfig(home, 'providers.ollama.baseUrl', undefined)
  expect(JSON.parse(fs.readFileSync(home.config, 'utf8'))).toEqual({ model: 'anthropic/a' })
  await editConfig(home, 'budget.usd', '2.5')
  expect(JSON.parse(fs.readFileSync(home.config, 'utf8'))).toMatchObject({ budget: { usd: 2.5 } })
  await editConfig(home, 'budget.usd', undefined)
  await expect(editConfig(home, 'modell', 'x/y')).rejects.toThrow('did you mean "model"?')
  await expect(editConfig(home, 'model', '7')).rejects.toThrow('"model": expected')
})

test('a secret may be a reference to the environment', () => {
  const reference = '$' + '{KEY}'
  expect(resolveSecret('sk-1', {})).toEqual({ state: 'literal', value: 'sk-1' })
  expect(resolveSecret(reference, { KEY: 'v' })).toEqual({ state: 'found', variable: 'KEY', value: 'v' })
  expect(resolveSecret(reference, {})).toEqual({ state: 'missing', variable: 'KEY' })
})

test('a home of a newer format is refused and left alone', async () => {
  const { home, load } = setUp()
  await prepareHome(home)
  await prepareHome(home)
  fs.writeFileSync(home.format, '2\n')
  await expect(load()).rejects.toThrow(HomeUnusable)
  await expect(prepareHome(home)).rejects.toThrow('newer Reverie (format 2')
  fs.writeFileSync(home.format, 'x')
  await expect(load()).rejects.toThrow(HomeUnusable)
  expect(fs.readFileSync(home.format, 'utf8')).toBe('x')
})
