import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { brokenBy, commandLine, hookCommand, isHookOfOurs, wordsOf } from './command-line.ts'
import type { Machine } from './machine.ts'

const WINDOWS = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\me\\entry.cjs', 'hook']

test.each([
  [['/a/reverie', 'hook'], 'sh', '/a/reverie hook'],
  [['/a b/reverie', 'hook'], 'sh', "'/a b/reverie' hook"],
  [["/it's $(here)/reverie"], 'sh', "'/it'\\''s $(here)/reverie'"],
  [WINDOWS, 'bash', '"C:/Program Files/nodejs/node.exe" C:/me/entry.cjs hook'],
  [WINDOWS, 'powershell', '& "C:/Program Files/nodejs/node.exe" C:/me/entry.cjs hook'],
  [WINDOWS, 'cmd', '"C:\\Program Files\\nodejs\\node.exe" C:\\me\\entry.cjs hook'],
] as const)('%j for %s', (words, shell, line) => {
  expect(commandLine(words, shell)).toBe(line)
  expect(wordsOf(line).map(word => word.replaceAll('\\', '/'))).toEqual(
    words.map(word => word.replaceAll('\\', '/')),
  )
})

test('a shell runs it, whatever the directory is called', () => {
  const directory = join(temporaryDirectory(), `it's "a" $HOME`)
  mkdirSync(directory)
  const program = join(directory, 'reverie')
  writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o700 })
  const machine: Machine = {
    home: '/',
    env: {},
    platform: 'linux',
    program: [program],
    flags: ['--home', '/a b'],
  }
  const line = hookCommand(machine, 'codex', 'prompt', 'cmd')
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe('hook|codex|prompt|--home|/a b|')
  expect(isHookOfOurs(line)).toBe(true)
  expect(brokenBy(wordsOf(line))).toBeUndefined()
  expect(brokenBy(['/gone/reverie', 'mcp'])).toMatch(/\/gone\/reverie, which is not there/)
  expect(brokenBy(['reverie', 'mcp'])).toBeUndefined()
})

test('commands of others are not ours', () => {
  for (const command of ['say reverie', 'reverie hooks list', 'my-hook claude-code prompt', 7, undefined])
    expect(isHookOfOurs(command)).toBe(false)
})
