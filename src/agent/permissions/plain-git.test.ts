import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { makeFiles } from './permissions.fixture.ts'
import { gitTrouble } from './plain-git.ts'

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
  expect(gitTrouble(root)).toBeUndefined()
  expect(gitTrouble(join(root, 'a'))).toBeUndefined()
  const tree = `${root}-tree`
  expect(gitTrouble(tree)).toBeUndefined()
  fs.rmSync(tree, { recursive: true })
  expect(gitTrouble('/')).toBeUndefined()
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
  expect(gitTrouble(root)).toContain(key.toLowerCase())
})

test.each([
  ['on the line of its section', '[core] fsmonitor = ./evil.sh\n'],
  ['after a line that goes on', '[user]\n\tname = x \\\n\n'],
  ['in another case', '[CORE]\n\tFsMonitor = ./evil.sh\n'],
  ['in a section of the old form', '[remote.origin]\n\tuploadpack = ./evil.sh\n'],
])('nor with a setting %s', (_, text) => {
  const { root } = repository()
  fs.appendFileSync(join(root, '.git', 'config'), text)
  expect(gitTrouble(root)).toBeDefined()
})

test('nor one with a hook that looking runs, or with others in it', () => {
  const hooked = repository().root
  fs.writeFileSync(join(hooked, '.git', 'hooks', 'post-index-change'), '')
  expect(gitTrouble(hooked)).toContain('hook')
  const outer = repository()
  outer.git('submodule', '--quiet', 'add', repository().root, 'inner')
  expect(gitTrouble(outer.root)).toBeDefined()
  const nested = repository()
  spawnSync('git', ['init', '-q', 'inner'], { cwd: nested.root })
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x', '--allow-empty'], {
    cwd: join(nested.root, 'inner'),
  })
  nested.git('add', 'inner')
  expect(gitTrouble(nested.root)).toContain('may hold others')
})

test('a bare repository that lies in a project is found before it', () => {
  const { root } = repository()
  makeFiles(root, ['bare/HEAD', 'bare/objects/x', 'bare/refs/x'])
  fs.writeFileSync(join(root, 'bare', 'config'), '[core]\n\tfsmonitor = ./evil.sh\n')
  expect(gitTrouble(join(root, 'bare'))).toContain('core.fsmonitor')
  expect(gitTrouble(join(root, 'bare', 'refs'))).toContain('core.fsmonitor')
})
