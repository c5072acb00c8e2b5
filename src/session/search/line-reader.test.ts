import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { LineReader } from './line-reader.ts'

interface ReadLines {
  lines: [offset: number, text: string][]
  consumed: number
  bytes: number
}

function readLines(path: string, from = 0, end = Number.MAX_SAFE_INTEGER): ReadLines {
  const file = openSync(path, 'r')
  try {
    const reader = new LineReader(file, from, end)
    const lines: ReadLines['lines'] = []
    for (let line = reader.next(); line; line = reader.next())
      lines.push([line.offset, line.bytes.toString()])
    return { lines, consumed: reader.consumed, bytes: reader.bytes }
  } finally {
    closeSync(file)
  }
}

function fileWith(text: string): string {
  const path = join(temporaryDirectory(), 'lines')
  writeFileSync(path, text)
  return path
}

test('gives whole lines with their places; an unfinished one waits', () => {
  const path = fileWith('one\n\nthree\nunfin')
  expect(readLines(path)).toEqual({
    lines: [
      [0, 'one'],
      [4, ''],
      [5, 'three'],
    ],
    consumed: 11,
    bytes: 16,
  })
  expect(readLines(path, 4).lines).toEqual([
    [4, ''],
    [5, 'three'],
  ])
  expect(readLines(path, 0, 4)).toEqual({ lines: [[0, 'one']], consumed: 4, bytes: 4 })
})

test('nothing is lost where lines are longer than what is read at a time', () => {
  const length = fc.oneof(fc.nat(300), fc.integer({ min: 200_000, max: 600_000 }))
  fc.assert(
    fc.property(fc.array(length, { maxLength: 6 }), fc.nat(100), (lengths, rest) => {
      const texts = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length))
      const path = fileWith(texts.map(text => `${text}\n`).join('') + 'r'.repeat(rest))
      const { lines, consumed } = readLines(path)
      expect(lines.map(([, text]) => text)).toEqual(texts)
      expect(consumed).toBe(lengths.reduce((sum, length) => sum + length + 1, 0))
    }),
    { numRuns: 20 },
  )
})

test('a line that would fill the memory is passed over, and those after it are not', () => {
  const path = fileWith(`before\n${'x'.repeat(65 * 1024 * 1024)}\nafter\n`)
  expect(readLines(path).lines).toEqual([
    [0, 'before'],
    [7, ''],
    [7 + 65 * 1024 * 1024 + 1, 'after'],
  ])
})

test('a file that is shorter than it was said to be just ends', () => {
  expect(readLines(fileWith('one\ntw'), 0, 1_000)).toEqual({ lines: [[0, 'one']], consumed: 4, bytes: 6 })
  expect(readLines(fileWith(''), 50, 1_000)).toEqual({ lines: [], consumed: 50, bytes: 0 })
})
