import { expect, test } from 'vitest'
import { SeenFiles } from './seen.ts'

const at = { hash: 'h', mtimeMs: 1 }

test('a file is known whole when its parts were read, of the same content', () => {
  const seen = new SeenFiles()
  seen.read('/a', at, { from: 1, to: 10 }, 20)
  expect(seen.get('/a')?.whole).toBe(false)
  seen.read('/a', at, { from: 8, to: 20 }, 20)
  expect(seen.get('/a')?.whole).toBe(true)
  seen.read('/a', { ...at, hash: 'other' }, { from: 1, to: 10 }, 20)
  expect(seen.get('/a')?.whole).toBe(false)
})

test('who changes a part knows the whole only if it knew the whole of what was there', () => {
  const seen = new SeenFiles()
  seen.read('/a', at, { from: 1, to: 2 }, 2)
  seen.wrote('/a', 'h2', { over: 'h' })
  expect(seen.get('/a')?.whole).toBe(true)
  seen.wrote('/a', 'h4', { over: 'h3' })
  expect(seen.get('/a')?.whole).toBe(false)
})

test('what was shown is forgotten when it is changed, or has left the conversation', () => {
  const seen = new SeenFiles()
  const range = { from: 1, to: 2 }
  seen.read('/a', at, range, 2)
  expect(seen.wasShown('/a', 'h', range)).toBe(true)
  expect(seen.wasShown('/a', 'other', range)).toBe(false)
  seen.forgetShown()
  expect(seen.wasShown('/a', 'h', range)).toBe(false)
  expect(seen.get('/a')?.whole).toBe(true)
})
