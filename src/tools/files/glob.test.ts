import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileAgent } from './agent.fixture.ts'

function tree(...paths: string[]) {
  const agent = fileAgent()
  for (const [at, path] of paths.entries()) {
    agent.put(path, path)
    utimesSync(agent.at(path), 1_000 + at, 1_000 + at)
  }
  return agent
}

test('the newest first', async () => {
  const agent = tree('src/a.ts', 'src/deep/b.ts', 'src/c.js', 'd.ts')
  expect(await agent.text('glob', { pattern: '**/*.ts' })).toBe('d.ts\nsrc/deep/b.ts\nsrc/a.ts')
  expect(await agent.text('glob', { pattern: 'src/*.{ts,js}' })).toBe('src/c.js\nsrc/a.ts')
  expect(await agent.text('glob', { pattern: '*.ts', path: 'src' })).toBe('src/a.ts')
  expect(await agent.text('glob', { pattern: 'd.ts' })).toBe('d.ts')
  expect(await agent.text('glob', { pattern: '*.py' })).toBe(
    'No file matches "*.py". To look in all directories: "**/*.py".',
  )
})

test('what git ignores, .git and node_modules are passed over unless named', async () => {
  const agent = tree(
    'a.ts',
    'dist/a.ts',
    'keep/x.log',
    'keep/important.log',
    'sub/y.log',
    'node_modules/p/a.ts',
    'node_modules/p/dist/b.ts',
    '.git/config.ts',
    '.hidden/h.ts',
  )
  agent.put('.gitignore', 'dist/\n*.log\nnode_modules\n')
  agent.put('keep/.gitignore', '!important.log\n')
  const found = async (pattern: string, path?: string) =>
    (await agent.text('glob', { pattern, ...(path && { path }) })).split('\n').sort()
  expect(await found('**/*.ts')).toEqual(['.hidden/h.ts', 'a.ts'])
  expect(await found('**/*.log')).toEqual(['keep/important.log'])
  expect(await found('dist/*.ts')).toEqual(['dist/a.ts'])
  expect(await found('**/dist/*.ts')).toEqual(['dist/a.ts'])
  expect(await found('**/*.ts', 'node_modules')).toEqual(['node_modules/p/a.ts', 'node_modules/p/dist/b.ts'])
  expect(await found('node_modules/**/*.ts')).toHaveLength(2)
  expect(await found('.git/*')).toEqual(['.git/config.ts'])
})

test('no more than 200, and it is said', async () => {
  const agent = tree(...Array.from({ length: 230 }, (_, at) => `f${at}.txt`))
  const text = await agent.text('glob', { pattern: '*.txt' })
  expect(text.split('\n')[0]).toBe('f229.txt')
  expect(text).toContain('[The newest 200 of 230 files.')
})

test('links to directories are not followed; links to files are files', async () => {
  const agent = tree('real/a.ts')
  symlinkSync('..', agent.at('real/up'))
  symlinkSync('real/a.ts', agent.at('link.ts'))
  symlinkSync('nowhere', agent.at('broken.ts'))
  expect((await agent.text('glob', { pattern: '**/*.ts' })).split('\n').sort()).toEqual([
    'link.ts',
    'real/a.ts',
  ])
})

test('patterns and places that make no sense are refused', async () => {
  const agent = tree('a.ts')
  mkdirSync(agent.at('dir'))
  const refused = (pattern: string, path?: string) =>
    expect(agent.text('glob', { pattern, ...(path && { path }) })).rejects
  await refused('*', 'none').toThrow('not a directory')
  await refused('*', 'a.ts').toThrow('not a directory')
  await refused('*/../../*').toThrow('".."')
  await refused('*a*a*a*a*a*').toThrow('too complicated')
  await refused('a\0*').toThrow()
})
