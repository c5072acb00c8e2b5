import { expect, test } from 'vitest'
import { Lru } from './lru.ts'

test('forgets what was used least recently', () => {
  const cache = new Lru<string, number | undefined>(2)
  cache.set('a', 1)
  cache.set('b', undefined)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  cache.set('a', 4)
  cache.set('d', 5)
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([4, undefined, 2])
  expect(cache.delete('a')).toBe(true)
  cache.clear()
  expect(cache.size).toBe(0)
  expect(() => new Lru(0)).toThrow(RangeError)
})
