import { expect, test } from 'vitest'
import { Limits } from './limits.ts'

test('a minute’s requests come back evenly, and each key has its own', () => {
  let now = 0
  const limits = new Limits({ requestsPerMinute: 2, atOnce: 2 }, { now: () => now })
  limits.begin('a')()
  limits.begin('a')()
  expect(() => limits.begin('a')).toThrow(expect.objectContaining({ status: 429, after: 30 }))
  limits.begin('b')()
  now += 20_100
  expect(() => limits.begin('a')).toThrow(expect.objectContaining({ after: 10 }))
  now += 9_950
  limits.begin('a')()
  expect(() => limits.begin('a')).toThrow()
})

test('so many run at the same time, for one key and in all; ending twice counts once', () => {
  const limits = new Limits({ requestsPerMinute: 100, atOnce: 2 }, { mostInAll: 3 })
  const first = limits.begin('a')
  limits.begin('a')
  expect(() => limits.begin('a')).toThrow(/same time/)
  limits.begin('b')
  expect(() => limits.begin('b')).toThrow(/at the moment/)
  first()
  first()
  limits.begin('b')
  expect(() => limits.begin('a')).toThrow(/at the moment/)
})
