import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Trail } from './trail.ts'

test('of hooks that take what was said at the same time, one gets it, and what it puts back comes again', () => {
  const home = temporaryDirectory()
  const [one, other] = [new Trail(home, 'codex', 's'), new Trail(home, 'codex', 's')]
  const said = { who: 'person', text: 'a', at: '2026-11-18T09:00:00.000Z' } as const
  one.say(said)
  other.say({ ...said, text: 'b' })
  one.say({ ...said, text: 'x'.repeat(40_000) })
  const taken = one.takeSaid()
  expect(other.takeSaid()).toBeUndefined()
  expect(taken?.said.map(({ text }) => text)).toEqual(['a', 'b'])
  taken?.keep()
  expect(other.takeSaid()?.said).toHaveLength(2)
  expect(new Trail(home, 'codex', 'another').takeSaid()).toBeUndefined()
  // Who took it was killed, an hour ago.
  const trails = join(home, 'connections', 'trails')
  for (const name of readdirSync(trails)) utimesSync(join(trails, name), 0, 0)
  expect(one.takeSaid()?.said.map(({ text }) => text)).toEqual(['a', 'b'])
})
