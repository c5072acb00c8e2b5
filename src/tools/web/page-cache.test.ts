import { expect, test } from 'vitest'
import { PageCache } from './page-cache.ts'

function caching(mostBytes: number) {
  const clock = { now: 0 }
  return { clock, cache: new PageCache<{ text: string }>({ now: () => clock.now, mostBytes }) }
}

test('the longest unused go first', () => {
  const { cache } = caching(100)
  for (const key of 'abc') cache.set(key, { text: 'x'.repeat(14) })
  cache.get('a')
  cache.set('d', { text: 'x'.repeat(14) })
  expect([...'abcd'].filter(key => cache.get(key))).toEqual(['a', 'c', 'd'])
})

test('what is larger than all of it is not kept, and takes nothing else’s place', () => {
  const { cache } = caching(100)
  cache.set('a', { text: 'x' })
  cache.set('b', { text: 'x'.repeat(50) })
  expect(cache.get('a')).toEqual({ text: 'x' })
  expect(cache.get('b')).toBeUndefined()
})

test('what is set again counts once, and is new', () => {
  const { cache, clock } = caching(100)
  for (let at = 0; at < 10; at++) cache.set('a', { text: `${at}`.repeat(20) })
  cache.set('b', { text: 'x'.repeat(20) })
  clock.now = 14 * 60_000
  cache.set('a', { text: 'new' })
  clock.now = 16 * 60_000
  expect(cache.get('a')).toEqual({ text: 'new' })
  expect(cache.get('b')).toBeUndefined()
})

test('being used does not make it last', () => {
  const { cache, clock } = caching(100)
  cache.set('a', { text: 'x' })
  clock.now = 10 * 60_000
  expect(cache.get('a')).toBeDefined()
  clock.now = 15 * 60_000
  expect(cache.get('a')).toBeUndefined()
})
