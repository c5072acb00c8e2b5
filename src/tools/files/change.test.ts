import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { fileAgent } from './agent.fixture.ts'
import { changeFiles } from './change.ts'

test('a link that took the place of a file since it was looked at is not followed', async () => {
  const agent = fileAgent()
  const outside = join(temporaryDirectory(), 'secret')
  writeFileSync(outside, 'same')
  agent.put('a', 'same')
  rmSync(agent.at('a'))
  symlinkSync(outside, agent.at('a'))
  const change = { path: agent.at('a'), before: Buffer.from('same'), after: Buffer.from('new') }
  await expect(changeFiles([change], agent)).rejects.toThrow('became a symbolic link')
  expect(readFileSync(outside, 'utf8')).toBe('same')
})

test('nor is one that took the place of a directory', async () => {
  const agent = fileAgent()
  const outside = temporaryDirectory()
  mkdirSync(agent.at('dir'))
  renameSync(agent.at('dir'), agent.at('was'))
  symlinkSync(outside, agent.at('dir'))
  const change = { path: agent.at('dir/new'), before: null, after: Buffer.from('new') }
  await expect(changeFiles([change], agent)).rejects.toThrow('became a symbolic link')
  expect(existsSync(join(outside, 'new'))).toBe(false)
})

test('what was changed or created in the meantime is left alone, with all others', async () => {
  const agent = fileAgent()
  agent.put('a', 'a')
  agent.put('b', 'theirs')
  const a = { path: agent.at('a'), before: Buffer.from('a'), after: Buffer.from('A') }
  const b = { path: agent.at('b'), after: Buffer.from('B') }
  await expect(changeFiles([a, { ...b, before: Buffer.from('b') }], agent)).rejects.toThrow('Read it again')
  await expect(changeFiles([a, { ...b, before: null }], agent)).rejects.toThrow('created by somebody else')
  expect([agent.get('a'), agent.get('b')]).toEqual(['a', 'theirs'])
  expect(await agent.snapshots.list()).toEqual([])
})
