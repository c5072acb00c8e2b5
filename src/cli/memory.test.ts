import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BIN, reverie } from './reverie.fixture.ts'

const TABS = ['--type', 'user', '--name', 'Prefers tabs', '--description', 'Indents with tabs, never spaces']

function setUp() {
  const home = temporaryDirectory()
  const run = (...args: string[]) => reverie(args, { home })
  const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout)
  return { home, run, json }
}

test('what programs rely on: the shapes of list, save, recall and doctor', () => {
  const { json } = setUp()
  const saved = json('memory', 'save', ...TABS, '--body', 'Use tabs.')
  expect(saved).toMatchObject({
    file: 'user_prefers-tabs.md',
    created: true,
    index: { lines: 3, bytes: expect.any(Number) },
  })
  expect(json('memory', 'list')).toEqual([
    {
      file: 'user_prefers-tabs.md',
      name: 'Prefers tabs',
      description: 'Indents with tabs, never spaces',
      type: 'user',
      ageDays: 0,
      stale: false,
      pinned: false,
      bytes: expect.any(Number),
      scope: 'project',
      origin: 'owner',
    },
  ])
  expect(json('recall', 'how should I indent?')).toMatchObject([
    {
      file: 'user_prefers-tabs.md',
      name: 'Prefers tabs',
      type: 'user',
      score: expect.any(Number),
      ageDays: 0,
      stale: false,
      snippet: expect.stringContaining('tabs'),
    },
  ])
  expect(json('recall', 'what is the weather in Paris?')).toEqual([])
  expect(json('memory', 'doctor')).toMatchObject({ ok: true, problems: [], fixed: [] })
})

test('everything that can be done to one memory', () => {
  const { run, json, home } = setUp()
  const file = 'user_prefers-tabs.md'
  expect(
    reverie(['memory', 'save', ...TABS, '--body', '-'], { home, input: 'From the pipe.' }).stdout,
  ).toContain(`Remembered ${file} (project) · undo: reverie memory undo `)
  expect(run('memory', 'show', file).stdout).toContain('From the pipe.')
  expect(run('memory', 'list').stdout).toMatch(
    /user_prefers-tabs\.md\s+project\s+user\s+today\s+Indents with tabs/,
  )
  expect(run('memory', 'edit', file, '--body', 'Edited.').code).toBe(0)
  expect(
    reverie(['memory', 'edit', file], { home, env: { EDITOR: `sed -i s/Edited/Typed/` } }).stdout,
  ).toContain('Edited user_prefers-tabs.md')
  expect(json('memory', 'show', file).body).toBe('Typed.')
  expect(reverie(['memory', 'edit', file], { home, env: { EDITOR: 'true' } }).stdout).toContain(
    'Nothing was changed.',
  )
  expect(reverie(['memory', 'edit', file], { home, env: { EDITOR: 'false' } }).code).toBe(1)
  expect(run('memory', 'edit', file).stderr).toContain('export EDITOR=')
  const broken = reverie(['memory', 'edit', file], {
    home,
    env: { EDITOR: 'sed -i s/type:.user/type:nonsense/' },
  })
  expect(broken.code).toBe(1)
  const [, draft = ''] = /What you wrote is in (\S+)\.$/m.exec(broken.stderr) ?? []
  expect(fs.readFileSync(draft, 'utf8')).toContain('nonsense')
  fs.rmSync(join(draft, '..'), { recursive: true })
  expect(run('memory', 'pin', file).stdout).toContain('Pinned')
  expect(json('memory', 'list')[0].pinned).toBe(true)
  expect(run('memory', 'pin', file, '--off').stdout).toContain('Unpinned')
  expect(run('memory', 'search', 'tabs or whatever', '-k', '1').stdout).toContain('Prefers tabs')
  expect(run('memory', 'forget', file).stdout).toContain('Forgot')
  expect(run('memory', 'show', file).code).toBe(1)
  expect(run('memory', 'restore', file).stdout).toContain('Restored')
  expect(run('memory', 'undo').stdout).toContain(`(Restore ${file})`)
  expect(run('memory', 'undo').stdout).toContain(`(Forget ${file})`)
  expect(json('memory', 'history', file).length).toBeGreaterThan(6)
  expect(run('memory', 'history', file, '--diff').stdout).toContain('+Typed.')
  expect(run('memory', 'forget', file, '--purge').stdout).toContain('Purged')
  expect(json('memory', 'history', file)).toEqual([])
  expect(run('memory', 'path').stdout.trim()).toMatch(/projects\/.*\/memory$/)
  expect(run('memory', 'path', '--scope', 'user').stdout.trim()).toBe(join(home, 'memory'))
  expect(run('memory', 'prompt').stdout).toContain('What not to keep')
})

test('what a memory says does not steer the terminal', () => {
  const { run } = setUp()
  run('memory', 'save', ...TABS, '--body', 'red \u001b[31m and \u0007 bell')
  for (const args of [
    ['show', 'user_prefers-tabs.md'],
    ['search', 'bell red'],
    ['history', 'user_prefers-tabs.md', '--diff'],
  ])
    expect(run('memory', ...args).stdout, args.join(' ')).not.toMatch(/[\u0007\u001b]/)
  expect(run('memory', 'show', 'user_prefers-tabs.md').stdout).toContain('red \\u001b[31m')
})

test('wrong input gets a sentence, exit code 1 or 2, and changes nothing', () => {
  const { run, home } = setUp()
  for (const [args, code, sentence] of [
    [
      ['save', '--type', 'note', '--name', 'x', '--description', 'd', '--body', 'b'],
      2,
      'Allowed choices are user, feedback, project, reference',
    ],
    [['save', '--type', 'user', '--name', 'x'], 2, "required option '--description <line>' not specified"],
    [
      ['save', '--type', 'user', '--name', ' ', '--description', 'd', '--body', 'b'],
      1,
      'A memory needs a name',
    ],
    [
      ['save', '--type', 'user', '--name', 'x', '--description', 'd', '--body', `ghp_${'a1B2'.repeat(9)}`],
      1,
      'GitHub',
    ],
    [['show', '../../etc/passwd'], 1, 'is not the name of a memory file'],
    [['show', 'user_none.md'], 1, 'There is no memory user_none.md'],
    [['forget', 'user_none.md', '--purge'], 1, 'neither kept nor forgotten'],
    [['undo'], 1, 'Nothing has been changed that could be undone'],
    [['undo', 'zz'], 1, 'is not the id of a journal entry'],
    [['undo', 'abcdef'], 1, 'The journal has no entry abcdef'],
    [['list', '--scope', 'mine'], 2, 'Allowed choices are project, user, team'],
    [['search', 'x', '-k', '0'], 2, 'whole number from 1'],
  ] as const) {
    const ran = run('memory', ...args)
    expect([ran.code, ran.stderr], args.join(' ')).toEqual([code, expect.stringContaining(sentence)])
    expect(ran.stderr, args.join(' ')).not.toContain('    at ')
  }
  expect(fs.existsSync(join(home, 'projects'))).toBe(false)
})

test('--no-memory recalls nothing and keeps nothing', () => {
  const { run, json, home } = setUp()
  run('memory', 'save', ...TABS, '--body', 'Use tabs.')
  expect(json('recall', 'tabs', '--no-memory')).toEqual([])
  const refused = run(
    '--no-memory',
    'memory',
    'save',
    '--type',
    'user',
    '--name',
    'y',
    '--description',
    'd',
    '--body',
    'b',
  )
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Memory is off')])
  expect(json('memory', 'list')).toHaveLength(1)
  expect(fs.readdirSync(home)).toContain('.journal')
})

test('--memory-dir works on a directory elsewhere; a project file cannot', () => {
  const { home, json, run } = setUp()
  const elsewhere = join(home, 'elsewhere')
  json('--memory-dir', elsewhere, 'memory', 'save', ...TABS, '--body', 'b')
  expect(
    fs
      .readdirSync(elsewhere)
      .filter(name => !name.startsWith('.'))
      .sort(),
  ).toEqual(['MEMORY.md', 'user_prefers-tabs.md'])
  expect(json('--memory-dir', elsewhere, 'memory', 'history', 'user_prefers-tabs.md')).toHaveLength(1)
  expect(json('memory', 'list')).toEqual([])
  const project = join(home, 'hostile')
  fs.mkdirSync(join(project, '.reverie'), { recursive: true })
  fs.writeFileSync(
    join(project, '.reverie', 'config.json'),
    JSON.stringify({ memory: { dir: '/root/.ssh' } }),
  )
  const refused = run('memory', 'list', '--project', project)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('"memory.dir" can only be set by you'),
  ])
})

test('processes saving at once: every memory exists, the index names all, doctor is content', async () => {
  const { home, json } = setUp()
  const saves = Array.from({ length: 12 }, (_, n) => {
    const args = [
      'memory',
      'save',
      '--type',
      'project',
      '--name',
      `Fact ${n}`,
      '--description',
      `Fact number ${n}`,
      '--body',
      'b',
    ]
    const child = spawn(BIN, args, {
      cwd: home,
      env: { ...process.env, REVERIE_HOME: home },
      stdio: 'ignore',
    })
    return new Promise(done => child.on('exit', done))
  })
  expect(await Promise.all(saves)).toEqual(saves.map(() => 0))
  expect(json('memory', 'list')).toHaveLength(12)
  expect(json('memory', 'doctor')).toMatchObject({ ok: true })
})
