import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { findHooks } from './find-hooks.ts'
import type { Hook } from './hook.ts'
import { Hooks } from './hooks.ts'
import { projectHooks, trustHooks } from './trust.ts'

const never = new AbortController().signal

function hooksOf(hooks: Hook[], directory = temporaryDirectory()) {
  const made = new Hooks(
    hooks,
    { session: 's-1', project: '/work' },
    { directory, env: { PATH: process.env.PATH } },
  )
  const before = (input: unknown, tool = 'bash') => made.run('tool.before', { tool, call: 'c', input }, never)
  return { made, before, directory }
}

test('a command is told what is about to happen, and may let it be', async () => {
  const { before, directory } = hooksOf([{ on: 'tool.before', command: 'cat > seen.json' }])
  expect(await before({ command: 'ls' })).toEqual({
    blocked: undefined,
    input: { command: 'ls' },
    context: [],
    problems: [],
  })
  expect(JSON.parse(readFileSync(join(directory, 'seen.json'), 'utf8'))).toEqual({
    event: 'tool.before',
    session: 's-1',
    project: '/work',
    tool: 'bash',
    call: 'c',
    input: { command: 'ls' },
  })
})

test.each<[what: string, hook: Partial<Hook>, blocked: string | undefined, more?: object]>([
  ['blocks by its exit code', { command: 'echo not today >&2; exit 2' }, 'not today'],
  ['blocks by its answer', { command: `echo '{"decision":"block","reason":"no"}'` }, 'no'],
  [
    'amends the input',
    { command: `echo '{"input":{"command":"ls -l"}}'` },
    undefined,
    { input: { command: 'ls -l' } },
  ],
  [
    'adds something to know',
    { command: `echo '{"context":"it is Friday"}'` },
    undefined,
    { context: ['it is Friday'] },
  ],
  ['says something that is no answer', { command: 'echo all is well' }, undefined, { problems: [] }],
  ['is for another tool', { command: 'exit 2', tools: 'edit_*|read_file' }, undefined],
  ['is for this tool', { command: 'exit 2', tools: 'edit_*|ba*' }, 'A hook of the owner forbids it.'],
  [
    'fails',
    { command: 'echo broken >&2; exit 3' },
    undefined,
    { problems: [expect.stringContaining('broken')] },
  ],
  [
    'fails though it must agree',
    { command: 'exit 3', required: true },
    expect.stringMatching(/must agree failed/) as unknown as string,
  ],
  [
    'does not answer in time',
    { command: 'sleep 60', timeoutMs: 50 },
    undefined,
    { problems: [expect.stringContaining('within 50 ms')] },
  ],
  [
    'answers garbage',
    { command: `echo '{"decision":"maybe"}'` },
    undefined,
    { problems: [expect.stringContaining('not an answer')] },
  ],
])('a hook that %s', async (_, hook, blocked, more = {}) => {
  const { before } = hooksOf([{ on: 'tool.before', ...hook }])
  expect(await before({ command: 'ls' })).toMatchObject({ blocked, ...more })
})

test('they are asked in their order, each sees what the one before made of it, and the first block is the last word', async () => {
  const { before, directory } = hooksOf([
    { on: 'tool.before', command: `echo '{"input":{"command":"one"}}'` },
    { on: 'tool.before', command: 'cat > second.json' },
    { on: 'tool.before', command: 'exit 2' },
    { on: 'tool.before', command: 'touch never' },
  ])
  expect((await before({ command: 'ls' })).blocked).toBeDefined()
  expect(JSON.parse(readFileSync(join(directory, 'second.json'), 'utf8')).input).toEqual({ command: 'one' })
  expect(existsSync(join(directory, 'never'))).toBe(false)
})

test('an address is asked by POST; what is too long, an error or a redirect is a failure', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/no') return response.end('{"decision":"block","reason":"the server says no"}')
    if (request.url === '/amend') return response.end('{"input":{"command":"ls"},"context":"safer so"}')
    if (request.url === '/long') return response.end('x'.repeat(1_000_000))
    if (request.url === '/away') return response.writeHead(302, { location: '/no' }).end()
    response.writeHead(500).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const verdict = (path: string) => hooksOf([{ on: 'tool.before', url: at(path) }]).before({})
  expect((await verdict('/no')).blocked).toBe('the server says no')
  expect(await verdict('/amend')).toMatchObject({ input: { command: 'ls' }, context: ['safer so'] })
  for (const path of ['/long', '/away', '/error'])
    expect((await verdict(path)).problems, path).toHaveLength(1)
})

test('what a hook has started ends with it', async () => {
  const { before, directory } = hooksOf([
    { on: 'tool.before', command: '(sleep 0.4; touch late) & sleep 60', timeoutMs: 60 },
  ])
  await before({})
  await sleep(600)
  expect(existsSync(join(directory, 'late'))).toBe(false)
})

test("a project's hooks count when the owner has trusted just these", async () => {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  expect(await projectHooks(home, root)).toBeUndefined()
  mkdirSync(join(root, '.reverie'))
  const file = join(root, '.reverie', 'hooks.json')
  writeFileSync(file, JSON.stringify([{ on: 'reply', command: 'true' }]))
  expect(await projectHooks(home, root)).toMatchObject({ trusted: false, hooks: [{ on: 'reply' }] })
  await trustHooks(home, root, true)
  expect(await projectHooks(home, root)).toMatchObject({ trusted: true })
  writeFileSync(file, JSON.stringify([{ on: 'reply', command: 'rm -rf /' }]))
  expect(await projectHooks(home, root)).toMatchObject({ trusted: false })
  await trustHooks(home, root, true)
  await trustHooks(home, root, false)
  expect(await projectHooks(home, root)).toMatchObject({ trusted: false })
  writeFileSync(file, '[{"on":"nonsense"}]')
  await expect(projectHooks(home, root)).rejects.toThrow(/cannot be used/)
  writeFileSync(join(home.path, 'trusted-hooks.json'), 'nonsense')
  writeFileSync(file, '[]')
  expect(await projectHooks(home, root)).toMatchObject({ trusted: false })
})

test('what a hook runs of the project belongs to what was agreed to', async () => {
  const root = realpathSync(temporaryDirectory())
  const home = homeAt(join(root, 'home'))
  mkdirSync(join(root, '.reverie'))
  const check = join(root, 'check.sh')
  writeFileSync(check, 'true')
  writeFileSync(join(root, '.reverie', 'hooks.json'), '[{"on":"reply","command":"sh ./check.sh --all"}]')
  await trustHooks(home, root, true)
  expect(await projectHooks(home, root)).toMatchObject({ trusted: true })
  const { made } = hooksOf((await projectHooks(home, root))?.hooks ?? [], root)
  expect(made.files).toEqual([check])
  writeFileSync(check, 'rm -rf ~')
  expect(await projectHooks(home, root)).toMatchObject({ trusted: false })
})

test('hooks of a project that cannot be read are told of, and the owner’s count', async () => {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  mkdirSync(join(root, '.reverie'))
  writeFileSync(join(root, '.reverie', 'hooks.json'), '[{"on":"nonsense"}]')
  const config = { ...DEFAULTS, hooks: [{ on: 'reply' as const, command: 'true' }] }
  const found = await findHooks({ home, project: { root, slug: 'p' }, config })
  expect(found).toEqual({ hooks: config.hooks, notices: [expect.stringContaining('cannot be used')] })
})

test('one that leaves something running with its output open is not waited for', async () => {
  const { before } = hooksOf([
    { on: 'tool.before', command: `setsid sleep 30 & echo '{"context":"done"}'` },
    { on: 'tool.before', command: 'setsid sleep 30 & wait', timeoutMs: 100 },
  ])
  const begun = performance.now()
  expect(await before({})).toMatchObject({ context: ['done'], problems: [expect.stringContaining('100 ms')] })
  expect(performance.now() - begun).toBeLessThan(20_000)
})

test('a project’s hook is not given the keys of the owner', async () => {
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-x' }
  const ask = (fromProject: boolean) => {
    const hook: Hook = {
      on: 'tool.before',
      command: 'echo "{\\"context\\":\\"[$ANTHROPIC_API_KEY]\\"}"',
      fromProject,
    }
    return new Hooks([hook], { session: '', project: '' }, { directory: '/', env }).run(
      'tool.before',
      {},
      never,
    )
  }
  expect((await ask(true)).context).toEqual(['[]'])
  expect((await ask(false)).context).toEqual(['[sk-x]'])
})
