import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { bytesOf, linesOf } from './lines.ts'

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const lines = (text: string, size = 5, longest?: number) =>
  Array.fromAsync(linesOf(inChunks(text, size), longest))

test('every value comes with its line and its place, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), async (values, size) => {
      const texts = values.map(value => JSON.stringify(value))
      const found = await lines(texts.map(text => `${text}\n`).join(''), size)
      expect(found.map(({ value }) => JSON.stringify(value))).toEqual(texts)
      expect(found.map(({ line }) => line)).toEqual(texts.map((_, n) => n + 1))
      for (const [n, { start }] of found.entries())
        expect(start).toBe(
          Buffer.byteLength(
            texts
              .slice(0, n)
              .map(text => `${text}\n`)
              .join(''),
          ),
        )
    }),
  )
})

test('bad, empty and endless lines', async () => {
  expect(await lines('\uFEFF{"a":1}\r\n\n{oops\n{"b":2}\n{"c":', 4)).toMatchObject([
    { line: 1, value: { a: 1 } },
    { line: 3, problem: expect.stringContaining('it is not JSON') },
    { line: 4, value: { b: 2 } },
    { line: 5, start: 27, unfinished: true },
  ])
  expect(await lines('{"a":1}', 4)).toEqual([{ line: 1, start: 0, value: { a: 1 } }])
  expect(await lines('"0123456789"\n1\n', 4, 8)).toEqual([
    { line: 1, start: 0, problem: 'it is longer than 8 bytes' },
    { line: 2, start: 13, value: 1 },
  ])
})

test('only the bytes that were there when it was looked at, also of a compressed file', async () => {
  const directory = temporaryDirectory()
  const plain = join(directory, 'a.jsonl')
  writeFileSync(plain, '1\n2\n3\n')
  const read = (path: string, bytes: number) =>
    Array.fromAsync(linesOf(bytesOf(path, { bytes, mtimeMs: 0 })), ({ value }) => value)
  expect(await read(plain, 4)).toEqual([1, 2])
  expect(await read(plain, 0)).toEqual([])
  const packed = join(directory, 'a.jsonl.zst')
  const bytes = zstdCompressSync('1\n2\n3\n')
  writeFileSync(packed, bytes)
  expect(await read(packed, bytes.length)).toEqual([1, 2, 3])
  writeFileSync(packed, 'this is not compressed')
  await expect(read(packed, 10)).rejects.toThrow()
})
