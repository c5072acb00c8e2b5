import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { directoryTold, findShell, shellInvocation } from './shell-script.ts'

describe.each(['/bin/bash', '/bin/sh'])('%s', shell => {
  function run(command: string) {
    const root = realpathSync(temporaryDirectory())
    mkdirSync(join(root, 'sub'))
    const record = openSync(join(root, 'record'), 'wx')
    const { program, args } = shellInvocation(shell, command)
    const { stdout, status } = spawnSync(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', record],
    })
    closeSync(record)
    const told = directoryTold(readFileSync(join(root, 'record'), 'utf8'))
    return { stdout: stdout.toString(), status, directory: told?.replace(root, '.') }
  }

  test.each([
    ['cd sub', '', 0, './sub'],
    ['cd sub; exit 5', '', 5, './sub'],
    ['cd sub; false', '', 1, './sub'],
    ['trap "echo bye" EXIT; cd sub', 'bye\n', 0, './sub'],
    ['(cd sub)', '', 0, '.'],
    ['echo "$# $*"', '0 \n', 0, '.'],
    ['cd sub; exec true', '', 0, undefined],
    ['echo mine >&3', '', undefined, '.'],
  ])('%s', (command, stdout, status, directory) => {
    const ran = run(command)
    expect(ran.stdout).toBe(stdout)
    if (status !== undefined) expect(ran.status).toBe(status)
    expect(ran.directory).toBe(directory)
  })
})

test.each([
  ['', undefined],
  ['/a\n', undefined],
  ['/a\n\0', '/a'],
  ['/a\n\0/b\n\0', '/b'],
  ['/a\n\0/torn', '/a'],
  ['/with\nline\n\n\0', '/with\nline\n'],
])('the directory told by %j is %j', (record, directory) => {
  expect(directoryTold(record)).toBe(directory)
})

test('the shell is never one of the project', () => {
  const place = temporaryDirectory()
  for (const name of ['bash', 'sh']) writeFileSync(join(place, name), '', { mode: 0o755 })
  expect(findShell(place, '/elsewhere')).toBe(join(place, 'bash'))
  expect(findShell(place, place)).toMatch(/^(?!.*reverie-test).*(bash|\/sh)$/)
})
