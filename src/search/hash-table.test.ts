import { expect, test } from 'vitest'
import { HashTable } from './hash-table.ts'

test('what was added is found, also where hashes begin alike, however much there is', () => {
  const table = new HashTable()
  const both = (at: number): [number, number] => [(at * 4096) | 0, at % 7]
  for (let at = 1; at <= 20_000; at++) table.add(...both(at), at, -at)
  for (let at = 1; at <= 20_000; at++) {
    const slot = table.find(...both(at))
    expect([table.slots[slot + 2], table.slots[slot + 3]]).toEqual([at, -at])
  }
  expect(table.slots[table.find(3, 3) + 2]).toBe(0)
  table.clear()
  expect(table.slots[table.find(...both(1)) + 2]).toBe(0)
})
