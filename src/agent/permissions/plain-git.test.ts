import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { makeFiles } from './permissions.fixture.ts'
import { gitTrouble, trackedFiles } from './plain-git.ts'

function repository() {
  const root = fs.realpathSync(temporaryDirectory())
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'protocol.file.allow=always']
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  makeFiles(root, ['a/b.ts', ...Array.from({ length: 12 }, (_, at) => `files/${'n'.repeat(at)}x`)])
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'one')
  return { root, git }
}

test('a repository as git makes it is plain, below its root and in its worktrees as well', () => {
  const { root, git } = repository()
  git('remote', 'add', 'origin', 'https://example.org/x.git')
  git('worktree', 'add', '-q', join(root, '..', `${root.split('/').at(-1)}-tree`))
  expect(gitTrouble(root, root)).toBeUndefined()
  expect(gitTrouble(join(root, 'a'), root)).toBeUndefined()
  const tree = `${root}-tree`
  expect(gitTrouble(tree, root)).toBeUndefined()
  fs.rmSync(tree, { recursive: true })
  expect(gitTrouble('/', root)).toBeUndefined()
})

test.each([
  'core.fsmonitor',
  'core.pager',
  'core.sshCommand',
  'core.hooksPath',
  'core.worktree',
  'diff.external',
  'diff.x.textconv',
  'filter.x.clean',
  'alias.status',
  'include.path',
  'gpg.program',
  'some.thing',
])('one that sets %s is not', key => {
  const { root, git } = repository()
  git('config', key, './evil.sh')
  expect(gitTrouble(root, root)).toContain(key.toLowerCase())
})

test.each([
  ['on the line of its section', '[core] fsmonitor = ./evil.sh\n'],
  ['after a line that goes on', '[user]\n\tname = x \\\n\n'],
  ['in another case', '[CORE]\n\tFsMonitor = ./evil.sh\n'],
  ['in a section of the old form', '[remote.origin]\n\tuploadpack = ./evil.sh\n'],
])('nor with a setting %s', (_, text) => {
  const { root } = repository()
  fs.appendFileSync(join(root, '.git', 'config'), text)
  expect(gitTrouble(root, root)).toBeDefined()
})

test('nor one with a hook that looking runs, or with others in it', () => {
  const hooked = repository().root
  fs.writeFileSync(join(hooked, '.git', 'hooks', 'post-index-change'), '')
  expect(gitTrouble(hooked, hooked)).toContain('hook')
  const outer = repository()
  outer.git('submodule', '--quiet', 'add', repository().root, 'inner')
  expect(gitTrouble(outer.root, outer.root)).toBeDefined()
  const nested = repository()
  spawnSync('git', ['init', '-q', 'inner'], { cwd: nested.root })
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x', '--allow-empty'], {
    cwd: join(nested.root, 'inner'),
  })
  nested.git('add', 'inner')
  expect(gitTrouble(nested.root, nested.root)).toContain('may hold others')
})

test('a bare repository that lies in a project is found before it', () => {
  const { root } = repository()
  makeFiles(root, ['bare/HEAD', 'bare/objects/x', 'bare/refs/x'])
  fs.writeFileSync(join(root, 'bare', 'config'), '[core]\n\tfsmonitor = ./evil.sh\n')
  expect(gitTrouble(join(root, 'bare'), root)).toContain('core.fsmonitor')
  expect(gitTrouble(join(root, 'bare', 'refs'), root)).toContain('core.fsmonitor')
})

test('whatever stands in the way of a repository, it is looked at itself', () => {
  const { root, git } = repository()
  git('config', 'core.fsmonitor', './evil.sh')
  makeFiles(root, ['a/.git/nothing', 'objects/x', 'refs/x', 'HEAD'])
  expect(gitTrouble(join(root, 'a'), root)).toContain('core.fsmonitor')
  fs.writeFileSync(join(root, 'config'), '[core]\n')
  expect(gitTrouble(root, root)).toContain('core.fsmonitor')
})

test('above a project only the first repository counts', () => {
  const { root, git } = repository()
  git('config', 'core.fsmonitor', './mine.sh')
  makeFiles(root, ['a/inner/x'])
  const inner = join(root, 'a', 'inner')
  expect(gitTrouble(inner, inner)).toContain('core.fsmonitor')
  spawnSync('git', ['init', '-q'], { cwd: inner })
  expect(gitTrouble(inner, inner)).toBeUndefined()
})

test('where a .git leads that is a file is read as git reads it', () => {
  const { root } = repository()
  makeFiles(root, ['plain/HEAD', 'b/c.ts'])
  fs.mkdirSync(join(root, 'plain\nx'))
  fs.writeFileSync(join(root, 'plain\nx', 'config'), '[core]\n\tfsmonitor = ./evil.sh\n')
  fs.writeFileSync(join(root, 'b', '.git'), 'gitdir: ../plain\nx\n')
  expect(gitTrouble(join(root, 'b'), root)).toContain('core.fsmonitor')
})

test.each(['sha1', 'sha256'])('one with %s for its names is read as well', format => {
  const root = fs.realpathSync(temporaryDirectory())
  const git = (at: string, ...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: at })
  makeFiles(root, ['a/b.ts', 'inner/c.ts', 'z/x.ts'])
  git(root, 'init', '-q', `--object-format=${format}`)
  git(root, 'add', 'a', 'z')
  expect(gitTrouble(root, root)).toBeUndefined()
  expect(trackedFiles(root, root)?.map(({ name, top }) => [name, top])).toEqual([
    ['a/b.ts', root],
    ['z/x.ts', root],
  ])
  git(join(root, 'inner'), 'init', '-q', `--object-format=${format}`)
  git(join(root, 'inner'), 'commit', '-qm', 'x', '--allow-empty')
  git(root, 'add', 'inner')
  expect(gitTrouble(root, root)).toContain('may hold others')
})

test('an index of which a part is elsewhere is not taken for all of it', () => {
  const { root, git } = repository()
  git('update-index', '--split-index')
  expect(gitTrouble(root, root)).toBeDefined()
  expect(trackedFiles(root, root)).toBeUndefined()
})
