import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../servers/servers.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { reverie } from './reverie.fixture.ts'

test('a server is added, tried, listed with what it is given, and removed', () => {
  const home = temporaryDirectory()
  const { command = '', args = [] } = program()
  const run = (...words: string[]) => reverie(['mcp', ...words], { home })
  expect(run('add', 'small', '--env', `TOKEN=\${SMALL_TOKEN:-none}`, '--', command, ...args).code).toBe(0)
  expect(run('test', 'small').stdout).toMatch(
    /^small: 1 tool\n {2}mcp__small__echo {2}\[small\] Says what it hears\.\n$/,
  )
  expect(JSON.parse(run('list', '--json').stdout)).toMatchObject([
    { name: 'small', source: 'owner', used: 'yes', variables: ['SMALL_TOKEN'] },
  ])
  expect(run('remove', 'small').stdout).toContain('Removed small')
  const broken = run('add', 'small', '--url', 'https://x', '--', 'y')
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('either a command or a url')])
  const elsewhere = run('add', 'small', '--url', 'ftp://example.com/')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('no address of http')])
})

test("a project's servers are shown, and not started before they are trusted", () => {
  const home = temporaryDirectory()
  const project = join(home, 'project')
  mkdirSync(project)
  writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { small: program() } }))
  const run = (...words: string[]) => reverie(['mcp', ...words, '--project', project], { home })
  expect(run('test').stdout).toBe('small: not trusted\n')
  expect(run('trust').code).toBe(0)
  expect(run('test').stdout).toContain('small: 1 tool')
})
