import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BIN, reverie } from './reverie.fixture.ts'

const { version } = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** `nobody`: the tests may run as root, for whom no file is unreadable. */
const NOBODY = 65534
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY } : {}

test('prints its version, also through a chain of links and next to other flags', () => {
  const home = temporaryDirectory()
  expect(reverie(['--version'], { home })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(reverie(['--home', home, '-V'], { home }).stdout).toBe(`${version}\n`)
  fs.symlinkSync(BIN, join(home, 'absolute'))
  fs.mkdirSync(join(home, 'bin'))
  fs.symlinkSync('../absolute', join(home, 'bin', 'relative'))
  for (const way of ['./bin/relative', join(home, 'absolute')])
    expect(spawnSync(way, ['--version'], { cwd: home, encoding: 'utf8' }).stdout).toBe(`${version}\n`)
})

test('what an installed one compiles is kept in the home, for its owner alone', () => {
  const root = temporaryDirectory()
  for (const directory of ['bin', 'dist/cli', 'home'])
    fs.mkdirSync(join(root, directory), { recursive: true, mode: 0o700 })
  for (const file of ['reverie', 'entry.cjs']) fs.copyFileSync(join(BIN, '..', file), join(root, 'bin', file))
  fs.writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(join(root, 'dist/cli/main.js'), 'export const main = () => process.stdout.write("ran")')
  const env = { ...process.env, REVERIE_HOME: join(root, 'home') }
  const { stdout } = spawnSync(join(root, 'bin/reverie'), ['doctor'], { env, encoding: 'utf8' })
  expect(stdout).toBe('ran')
  const made = fs.readdirSync(join(root, 'home'), { recursive: true, encoding: 'utf8' })
  expect(made).toContainEqual(expect.stringMatching(/^cache\/code\/./))
  for (const path of made) expect(fs.statSync(join(root, 'home', path)).mode & 0o077, path).toBe(0)
})

test('an old Node, or none, gets one sentence and exit code 2', () => {
  const home = temporaryDirectory()
  fs.mkdirSync(join(home, 'bin'))
  fs.mkdirSync(join(home, 'path'))
  for (const file of ['reverie', 'entry.cjs']) fs.copyFileSync(join(BIN, '..', file), join(home, 'bin', file))
  for (const tool of ['sh', 'readlink'])
    fs.symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), join(home, 'path', tool))
  const run = () =>
    spawnSync(join(home, 'bin', 'reverie'), ['doctor'], {
      env: { PATH: join(home, 'path') },
      encoding: 'utf8',
    })
  const none = run()
  expect([none.status, none.stderr.split('\n').length]).toEqual([2, 2])
  expect(none.stderr).toContain('no node was found')
  // A Node that calls itself version 20 before it runs anything.
  const pretend = join(home, 'old.cjs')
  fs.writeFileSync(pretend, `Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })`)
  fs.writeFileSync(
    join(home, 'path', 'node'),
    `#!/bin/sh\nexec "${process.execPath}" --require "${pretend}" "$@"\n`,
  )
  fs.chmodSync(join(home, 'path', 'node'), 0o755)
  const old = run()
  expect([old.status, old.stdout, old.stderr.split('\n').length]).toEqual([2, '', 2])
  expect(old.stderr).toContain('Reverie needs Node 24 or newer')
})

test.each([
  [['confg', 'get'], 'Did you mean config?'],
  [['config', 'gte'], 'Did you mean get?'],
  [['config', 'set', 'model'], "missing required argument 'value'"],
  [['doctor', '--jsn'], 'Did you mean --json?'],
  [['config'], 'Usage: reverie config'],
  [['--home', '', 'memory', 'list'], 'It is empty'],
])('%j is wrong usage: exit code 2 and a hint', (args, hint) => {
  const ran = reverie(args, { home: temporaryDirectory() })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(hint)
  expect(ran.stdout).toBe('')
})

test('help says what there is, with examples', () => {
  const home = temporaryDirectory()
  for (const args of [['--help'], ['help'], ['help', 'config'], ['config', '--help']]) {
    const { code, stdout, stderr } = reverie(args, { home })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Examples:')
  }
  expect(reverie(['help', 'config'], { home }).stdout).toContain('set <key> <value>')
  expect(fs.readdirSync(home)).toEqual([])
})

test('with --json stdout is one document, wherever the flag stands, in success and in failure', () => {
  const home = temporaryDirectory()
  for (const args of [
    ['--json', 'config', 'path'],
    ['config', '--json', 'path'],
    ['config', 'path', '--json'],
  ])
    expect(JSON.parse(reverie(args, { home }).stdout)).toEqual({ path: join(home, 'config.json') })
  expect(JSON.parse(reverie(['config', 'get', 'nothing', '--json'], { home }).stdout).error).toContain(
    '"nothing"',
  )
  expect(JSON.parse(reverie(['config', 'bad', '--json'], { home }).stdout).error).toContain('unknown command')
  expect(JSON.parse(reverie(['config', '--json'], { home }).stdout).error).toContain(
    'a sub-command is missing',
  )
  expect(JSON.parse(reverie(['--version', '--json'], { home }).stdout)).toEqual({ version })
  expect(JSON.parse(reverie(['help', 'config', '--json'], { home }).stdout).help).toContain('Usage:')
})

test('colours are for terminals, and NO_COLOR wins over all', () => {
  const home = temporaryDirectory()
  const colour = '\u001b['
  expect(reverie(['doctor'], { home }).stdout).not.toContain(colour)
  expect(reverie(['doctor'], { home, env: { FORCE_COLOR: '1' } }).stdout).toContain(colour)
  expect(reverie(['doctor'], { home, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }).stdout).not.toContain(colour)
})

test('the reader of a pipe may go away', () => {
  const home = temporaryDirectory()
  const ran = spawnSync('sh', ['-c', `"${BIN}" doctor | true`], {
    env: { ...process.env, REVERIE_HOME: home },
  })
  expect(ran.stderr.toString()).toBe('')
})

test.each([
  ['an unknown key', '{"modle":"x/y"}', '"modle" is not a setting; did you mean "model"?'],
  ['a wrong type', '{"model":3}', '"model": expected string, received number'],
  ['invalid JSON', '{"model":', 'is not valid JSON'],
])('a config file with %s: one clear error, exit code 1, nothing overwritten', (_, text, message) => {
  const home = temporaryDirectory()
  fs.writeFileSync(join(home, 'config.json'), text)
  for (const args of [
    ['config', 'get'],
    ['config', 'set', 'model', 'embedded'],
  ]) {
    const ran = reverie(args, { home })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(message)
    expect(ran.stderr.trim().split('\n')).toHaveLength(1)
  }
  const doctor = reverie(['doctor', '--json'], { home })
  expect([doctor.code, JSON.parse(doctor.stdout).ok]).toEqual([1, false])
  expect(doctor.stdout).toContain(JSON.stringify(message).slice(1, -1))
  expect(fs.readFileSync(join(home, 'config.json'), 'utf8')).toBe(text)
})

test('a setting that is more than a word is shown as it is set, and what may be secret in it is not', () => {
  const home = temporaryDirectory()
  const price = '{"input":3,"output":15}'
  const server = { command: 'true', env: { TOKEN: 'very-secret-value' } }
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ mcp: { servers: { docs: server } } }))
  expect(reverie(['config', 'set', 'providers.mine.price', price], { home }).code).toBe(0)
  expect(reverie(['config', 'get', 'providers.mine.price'], { home }).stdout).toBe(`${price}\n`)
  const all = reverie(['config', 'get'], { home }).stdout
  expect(all).toContain('providers.mine.price.output = 15')
  expect(all).toContain('mcp.servers.docs.env.TOKEN = (hidden)')
  expect(all).not.toContain('[object')
  expect(reverie(['config', 'get', 'mcp.servers.docs.env'], { home }).stdout).toBe('(hidden)\n')
  expect(reverie(['config', 'set', 'providers.mine.price.output', '16'], { home }).code).toBe(0)
  expect(reverie(['config', 'set', 'providers.mine.price.input', 'much'], { home }).stderr).toContain(
    'expected number',
  )
  expect(all).not.toContain('very-secret')
})

test('a config file that may not be read: one clear error, exit code 1', () => {
  const home = temporaryDirectory()
  fs.chmodSync(home, 0o755)
  fs.writeFileSync(join(home, 'config.json'), '{}', { mode: 0o000 })
  const ran = reverie(['config', 'get'], { home, cwd: '/', ...asNobody })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('permission was denied (EACCES)')
  expect(ran.stderr.trim().split('\n')).toHaveLength(1)
})

test('config get, set, unset and path', () => {
  const home = join(temporaryDirectory(), 'new')
  const cwd = join(home, '..')
  expect(reverie(['config', 'set', 'model', 'openai/x'], { home, cwd }).code).toBe(0)
  expect(reverie(['config', 'get', 'model'], { home, cwd }).stdout).toBe('openai/x\n')
  expect(reverie(['config', 'get', 'model', '--model', 'embedded'], { home, cwd }).stdout).toBe('embedded\n')
  reverie(['config', 'set', 'providers.openai.apiKey', 'sk-very-secret'], { home, cwd })
  const all = reverie(['config', 'get'], { home, cwd }).stdout
  expect(all).toContain('providers.openai.apiKey = (hidden)')
  expect(all).not.toContain('very-secret')
  expect(reverie(['config', 'unset', 'model'], { home, cwd }).code).toBe(0)
  expect(reverie(['config', 'get', 'model'], { home, cwd }).stdout).toBe('')
  expect(reverie(['config', 'path'], { home, cwd }).stdout).toBe(`${join(home, 'config.json')}\n`)
})

test('doctor tells what is there and how to mend what is not, and prints no key', () => {
  const home = temporaryDirectory()
  fs.chmodSync(home, 0o755)
  fs.mkdirSync(join(home, '.journal'))
  const ran = reverie(['doctor', '--json'], { home, env: { ANTHROPIC_API_KEY: 'sk-ant-xyz' } })
  const { checks } = JSON.parse(ran.stdout) as {
    checks: Array<{ name: string; status: string; detail: string; fix?: string }>
  }
  const byName = new Map(checks.map(check => [check.name, check]))
  expect(byName.get('runtime')?.detail).toContain(process.versions.node)
  expect(byName.get('privacy')).toMatchObject({ status: 'warning', fix: `chmod -R go-rwx "${home}"` })
  expect(byName.get('journal')).toMatchObject({ status: 'problem' })
  expect(byName.get('models')?.detail).toBe('keys found: anthropic (ANTHROPIC_API_KEY)')
  expect(ran.stdout).not.toContain('sk-ant')
  expect(ran.code).toBe(1)
  expect(fs.readdirSync(join(home, '.journal'))).toEqual([])
  fs.rmdirSync(join(home, '.journal'))
  fs.chmodSync(home, 0o700)
  const well = reverie(['doctor'], { home })
  expect(well.code).toBe(0)
  expect(well.stdout).toContain('reverie -m')
  reverie(['memory', 'save', '--type', 'user', '--name', 'n', '--description', 'd', '--body', 'b'], { home })
  expect(reverie(['doctor', '--model', 'openai/x'], { home }).stdout).toMatch(
    /1 memory; index and files agree[\s\S]*openai\/x is chosen \(flag\)/,
  )
  fs.appendFileSync(
    join(reverie(['memory', 'path'], { home }).stdout.trim(), 'MEMORY.md'),
    '- [x](user_gone.md)\n',
  )
  expect(reverie(['doctor'], { home }).stdout).toContain('1 memory, 1 problem')
  expect(reverie(['doctor', '--project', join(home, 'none')], { home }).code).toBe(1)
  expect(basename(home)).toMatch(/^reverie-test-/)
})

test('a repository cannot hang the command with a device or a pipe in place of a file', () => {
  const home = temporaryDirectory()
  const project = join(home, 'hostile')
  fs.mkdirSync(join(project, '.reverie'), { recursive: true })
  fs.symlinkSync('/dev/zero', join(project, '.reverie', 'config.json'))
  const refused = reverie(['memory', 'list'], { home, cwd: project })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not a plain file')])
  fs.rmSync(join(project, '.reverie'), { recursive: true })
  spawnSync('mkfifo', [join(project, 'AGENTS.md')])
  fs.symlinkSync('/dev/zero', join(project, 'CLAUDE.md'))
  const save = ['memory', 'save', '--type', 'user', '--name', 'n', '--description', 'd', '--body', 'b']
  expect(reverie(save, { home, cwd: project }).code).toBe(0)
})

test('a directory that is gone gets a sentence', () => {
  const home = temporaryDirectory()
  const command = `mkdir "${home}/gone" && cd "${home}/gone" && rmdir "${home}/gone" && "${BIN}" memory list`
  const ran = spawnSync('sh', ['-c', command], {
    env: { ...process.env, REVERIE_HOME: home },
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('no longer exists')])
})

test('doctor tells of a home that a newer Reverie wrote where it tells of the home, and damages nothing', () => {
  const home = temporaryDirectory()
  fs.writeFileSync(join(home, 'format'), '99\n')
  const ran = reverie(['doctor', '--json'], { home })
  const checks = JSON.parse(ran.stdout).checks as { name: string; status: string; fix?: string }[]
  const wrong = checks.filter(({ status }) => status === 'problem')
  expect([ran.code, wrong]).toEqual([
    1,
    [expect.objectContaining({ name: 'home', fix: expect.stringContaining('update Reverie') })],
  ])
  expect(fs.readdirSync(home)).toEqual(['format'])
})
