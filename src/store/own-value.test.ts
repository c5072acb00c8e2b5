import { expect, test } from 'vitest'
import { ownValue } from './index.ts'

test('what every object has is in no table', () => {
  const table: Record<string, string> = { hourly: '0 * * * *' }
  expect(ownValue(table, 'hourly')).toBe('0 * * * *')
  for (const name of ['constructor', '__proto__', 'toString', 'daily'])
    expect(ownValue(table, name)).toBeUndefined()
})
