import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { findProject, NoSuchProject, projectSlug } from './project.ts'

function repository(): string {
  const root = join(realpathSync(temporaryDirectory()), 'My Project')
  mkdirSync(join(root, 'deep', 'er'), { recursive: true })
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('-c', 'user.name=n', '-c', 'user.email=e@localhost', 'commit', '-q', '--allow-empty', '-m', 'x')
  return root
}

test('is the git root from anywhere inside, also through a link', () => {
  const root = repository()
  symlinkSync(root, join(root, '..', 'link'))
  for (const start of [root, join(root, 'deep', 'er'), join(root, '..', 'link', 'deep')])
    expect(findProject(start)).toEqual({ root, slug: projectSlug(root) })
  expect(projectSlug(root)).toMatch(/^my-project-[0-9a-f]{8}$/)
})

test('a worktree is a place of its own, of the same project', () => {
  const root = repository()
  const worktree = join(root, '..', 'wt')
  execFileSync('git', ['-C', root, 'worktree', 'add', '-q', worktree], { stdio: 'ignore' })
  mkdirSync(join(worktree, 'deep'))
  for (const start of [worktree, join(worktree, 'deep')])
    expect(findProject(start)).toEqual({ root: worktree, slug: projectSlug(root), main: root })
  const bare = join(root, '..', 'bare.git')
  execFileSync('git', ['clone', '-q', '--bare', root, bare], { stdio: 'ignore' })
  const branch = join(root, '..', 'branch')
  execFileSync('git', ['-C', bare, 'worktree', 'add', '-q', branch], { stdio: 'ignore' })
  expect(findProject(branch)).toEqual({ root: branch, slug: projectSlug(bare), main: bare })
  expect(findProject(bare).slug).toBe(projectSlug(bare))
})

test('a .git file that the repository does not know of claims nothing', () => {
  const root = repository()
  const worktree = join(root, '..', 'wt')
  execFileSync('git', ['-C', root, 'worktree', 'add', '-q', worktree], { stdio: 'ignore' })
  const hostile = join(root, '..', 'hostile')
  mkdirSync(hostile)
  for (const target of [join(root, '.git', 'worktrees', 'wt'), join(root, '.git'), '/nowhere', '']) {
    writeFileSync(join(hostile, '.git'), `gitdir: ${target}\n`)
    expect(findProject(hostile)).toEqual({ root: hostile, slug: projectSlug(hostile) })
  }
  rmSync(worktree, { recursive: true })
  expect(findProject(hostile).root).toBe(hostile)
})

test('without git it is the directory itself, and a missing one is an error', () => {
  const directory = realpathSync(temporaryDirectory())
  expect(findProject(directory).root).toBe(directory)
  expect(() => findProject(join(directory, 'none'))).toThrow(NoSuchProject)
  writeFileSync(join(directory, 'file'), '')
  expect(() => findProject(join(directory, 'file'))).toThrow('is not a directory')
  expect(projectSlug('/制表符')).toMatch(/^project-[0-9a-f]{8}$/)
})
