import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { ImportLedger } from './ledger.ts'

test('knows what was imported, also after a crash in the middle of a record', async () => {
  const directory = join(temporaryDirectory(), 'projects', 'p')
  const now = new Date('2026-04-08T12:00:00Z')
  const ledger = await ImportLedger.open(directory)
  expect(ledger.state('claude-code', 'a.md', 'one')).toBe('new')
  await ledger.record('claude-code', 'a.md', 'one', 'project/user_a.md', now)
  await ledger.record('claude-code', 'b.md', 'b', null, now)
  appendFileSync(join(directory, 'imports.jsonl'), '{"source":"claude-co')
  const again = await ImportLedger.open(directory)
  expect(again.state('claude-code', 'a.md', 'one')).toBe('unchanged')
  expect(again.state('claude-code', 'a.md', 'two')).toBe('changed')
  expect(again.state('nanobot', 'a.md', 'one')).toBe('new')
  expect(again.memoryOf('claude-code', 'a.md')).toBe('project/user_a.md')
  expect(again.memoryOf('claude-code', 'b.md')).toBe(null)
  await again.record('claude-code', 'a.md', 'two', 'project/user_a.md', now)
  expect((await ImportLedger.open(directory)).state('claude-code', 'a.md', 'two')).toBe('unchanged')
})
