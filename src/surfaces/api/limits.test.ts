import { expect, test } from 'vitest'
import { Limits } from './limits.ts'

test('a minute’s requests come back evenly, and each key has its own', () => {
  let now = 0
  const limits = new Limits({ now: () => now })
  const begin = (key: string) => limits.begin(key, { requestsPerMinute: 2, atOnce: 2 })
  begin('a')()
  begin('a')()
  expect(() => begin('a')).toThrow(expect.objectContaining({ status: 429, after: 30 }))
  begin('b')()
  now += 20_100
  expect(() => begin('a')).toThrow(expect.objectContaining({ after: 10 }))
  now += 9_950
  begin('a')()
  expect(() => begin('a')).toThrow()
})

test('so many run at the same time, for one key and in all; ending twice counts once', () => {
  const limits = new Limits({ mostInAll: 3 })
  const begin = (key: string) => limits.begin(key, { requestsPerMinute: 100, atOnce: 2 })
  const first = begin('a')
  begin('a')
  expect(() => begin('a')).toThrow(/same time/)
  begin('b')
  expect(() => begin('b')).toThrow(/at the moment/)
  first()
  first()
  begin('b')
  expect(() => begin('a')).toThrow(/at the moment/)
})
