import { expect, it } from 'vitest'
import { moneyKey } from './values.ts'

it.each([
  ['€500', '500 euros'],
  ['500 EUR', '€ 500'],
  ['$40k', '$40,000'],
  ['2m dollars', '$2,000,000'],
  ['£12.50', '12.5 pounds'],
  ['20万元', '200,000 RMB'],
])('one sum has one form: %s, %s', (one, other) => {
  expect(moneyKey(one)).toBe(moneyKey(other))
})

it.each([
  ['€500', '$500'],
  ['$40k', '$40'],
  ['$12', '$1.2'],
])('other sums are others: %s, %s', (one, other) => {
  expect(moneyKey(one)).not.toBe(moneyKey(other))
})
