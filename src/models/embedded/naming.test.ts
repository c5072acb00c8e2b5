import { expect, test } from 'vitest'
import { thirdPerson } from './english-naming.ts'
import { finishedName, shortened } from './naming.ts'

const NOW = new Date(2026, 3, 7, 12)

test.each([
  ['use', 'uses'],
  ['push', 'pushes'],
  ['study', 'studies'],
  ['play', 'plays'],
  ['have', 'has'],
  ["don't", "doesn't"],
  ['am', 'is'],
  ['go', 'goes'],
  ['can', 'can'],
  ['moved', 'moved'],
  ['agreed', 'agreed'],
  ['need', 'needs'],
  ['told', 'told'],
  ['miss', 'misses'],
])('%s → %s', (verb, told) => {
  expect(thirdPerson(verb)).toBe(told)
})

test('a name outlives the day on which it was given', () => {
  expect(finishedName('Demo tomorrow', NOW, 'en')).toBe('Demo 2026-04-08')
  expect(finishedName('昨天上线', NOW, 'zh')).toBe('2026-04-06上线')
  expect(finishedName('Tomorrowland is a film', NOW, 'en')).toBe('Tomorrowland is a film')
})

test('what is too long is cut at a comma or between words, never in a character', () => {
  expect(shortened('one two three', 9)).toBe('one two')
  expect(shortened('one two, three four', 14)).toBe('one two')
  expect(shortened('abcdefghij', 4)).toBe('abcd')
  expect(shortened('a😀😀', 2).isWellFormed()).toBe(true)
  expect(shortened(' a\n b ', 10)).toBe('a b')
})
