import { expect, test } from 'vitest'
import { countDenial, endOfAttempt, NO_DENIALS } from './denials.ts'

const after = (...allowed: boolean[]) => endOfAttempt(allowed.reduce(countDenial, NO_DENIALS))

test('three in a row end the attempt, and what is allowed between them starts anew', () => {
  expect(after(false, false)).toBeUndefined()
  expect(after(false, false, false)).toContain('3 calls in a row')
  expect(after(false, false, true, false, false)).toBeUndefined()
})

test('twenty in all end it, too', () => {
  const turns = (count: number) => Array.from({ length: count }, () => [false, true]).flat()
  expect(after(...turns(19))).toBeUndefined()
  expect(after(...turns(20))).toContain('20 calls were denied')
})
