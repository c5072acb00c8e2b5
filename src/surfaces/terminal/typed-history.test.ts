import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { begin, go, search, searchOlder, shown } from './recollection.ts'
import { TypedHistory } from './typed-history.ts'

test('what was typed comes back in the next run, but for secrets and what begins with a space', async () => {
  const home = temporaryDirectory()
  const history = await TypedHistory.open(home)
  const secret = `use ${'ghp_'}${'16C7e42F292c6912E7710c838347Ae178B4a'}`
  for (const text of ['one', 'two\nlines', 'two\nlines', ' hidden', secret]) await history.add(text)
  expect(history.entries).toEqual(['one', 'two\nlines', secret])
  expect((await TypedHistory.open(home)).entries).toEqual(['one', 'two\nlines'])
  expect(statSync(join(home, 'typed.jsonl')).mode & 0o777).toBe(0o600)
})

test('the file is bounded, and what somebody wrote into it does no harm', async () => {
  const home = temporaryDirectory()
  const file = join(home, 'typed.jsonl')
  appendFileSync(file, Array.from({ length: 1_200 }, (_, at) => `"line ${at}"\n`).join(''))
  appendFileSync(file, 'not json\n{"a":1}\n')
  const { entries } = await TypedHistory.open(home)
  expect(entries).toHaveLength(500)
  expect(entries.at(-1)).toBe('line 1199')
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(501)
})

test('going back keeps what was being typed; a search goes from the newest on', () => {
  const start = begin(['a', 'b'], 'draft')
  const back = go(start, -1)
  expect(back && shown(back)).toBe('b')
  const oldest = back && go(back, -1)
  expect(oldest && go(oldest, -1)).toBeUndefined()
  const again = back && go(back, 1)
  expect(again && shown(again)).toBe('draft')
  const found = search(['Deploy', 'x', 'deploy again'], 'deploy')
  expect(found.at).toBe(2)
  expect(searchOlder(found).at).toBe(0)
  expect(searchOlder(searchOlder(found)).at).toBe(0)
})
