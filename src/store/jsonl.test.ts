import { writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WriteFailed } from './atomic-file.ts'
import { JsonlFile, readJsonl, readJsonlBackwards } from './jsonl.ts'
import { temporaryDirectory } from './temporary-directory.fixture.ts'

async function values(path: string, from?: number): Promise<unknown[]> {
  const found = []
  for await (const { value, problem } of readJsonl(path, from)) found.push(problem ? 'BAD' : value)
  return found
}

test('keeps the order of concurrent appends and gives the offset of every line', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await using file = await JsonlFile.open(path)
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => file.append([{ n }, { n: `${n}é` }], { sync: n % 10 === 0 })),
  )
  const lines = []
  for await (const line of readJsonl(path)) lines.push(line)
  expect(lines.map(line => line.value)).toEqual(
    Array.from({ length: 50 }, (_, n) => [{ n }, { n: `${n}é` }]).flat(),
  )
  const seventh = lines[6]
  expect(await values(path, seventh?.offset)).toEqual(lines.slice(6).map(line => line.value))
  expect(lines.at(-1)?.end).toBe((await fs.stat(path)).size)
  expect((await fs.stat(path)).mode & 0o777).toBe(0o600)
})

test('a torn last line is closed and reported, and what follows is whole', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await fs.writeFile(path, '{"n":1}\n{"n":2,"te')
  await using file = await JsonlFile.open(path)
  expect(file.torn).toEqual({ offset: 8, bytes: 10 })
  await file.append([{ n: 3 }])
  expect(await values(path)).toEqual([{ n: 1 }, 'BAD', { n: 3 }])
  await using again = await JsonlFile.open(path)
  expect(again.torn).toBeUndefined()
})

test('a last line that only lacks its newline keeps its value', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await fs.writeFile(path, '{"n":1}')
  expect(await values(path)).toEqual([{ n: 1 }])
  await using file = await JsonlFile.open(path)
  await file.append([{ n: 2 }])
  expect(await values(path)).toEqual([{ n: 1 }, { n: 2 }])
})

test('an unfinished line longer than the read buffer is found from its start', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await fs.writeFile(path, `{"n":1}\n"${'x'.repeat(200_000)}`)
  await using file = await JsonlFile.open(path)
  expect(file.torn).toEqual({ offset: 8, bytes: 200_001 })
})

test('cut anywhere, a file gives every whole line and takes new ones', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (records, seed) => {
        await fs.rm(path, { force: true })
        const text = Buffer.from(records.map(record => `${JSON.stringify({ record })}\n`).join(''))
        const cut = seed % (text.length + 1)
        await fs.writeFile(path, text.subarray(0, cut))
        const whole = text.subarray(0, cut).toString('latin1').split('\n').length - 1
        await using file = await JsonlFile.open(path)
        await file.append([{ last: true }])
        const found = await values(path)
        expect(found.slice(0, whole)).toEqual(
          records.slice(0, whole).map(record => JSON.parse(JSON.stringify({ record }))),
        )
        expect(found.at(-1)).toEqual({ last: true })
      },
    ),
    { numRuns: 200 },
  )
})

test('after a failed write the next record starts on a line of its own', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  const file = await JsonlFile.open(path)
  await file.append([{ n: 1 }])
  await file.close()
  await expect(file.append([{ n: 2 }])).rejects.toThrow(WriteFailed)
  await expect(JsonlFile.open(join(path, 'below-a-file'))).rejects.toThrow(WriteFailed)
})

test('a value without a JSON form is refused before anything is written', async () => {
  const path = join(temporaryDirectory(), 'log.jsonl')
  await using file = await JsonlFile.open(path)
  expect(() => file.append([{ n: 1 }, undefined])).toThrow(TypeError)
  expect(await values(path)).toEqual([])
})

test('reading backwards gives what reading forwards gives, in whatever pieces it is read', async () => {
  const line = fc.oneof(
    fc.json(),
    fc.constantFrom('', ' ', '{"torn', 'é'.repeat(30), JSON.stringify({ long: 'x'.repeat(200) })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 64 }),
      async (lines, ended, chunkBytes) => {
        const path = join(temporaryDirectory(), 'log.jsonl')
        writeFileSync(path, lines.join('\n') + (ended ? '\n' : ''))
        const forwards: unknown[] = []
        for await (const { line: _, ...entry } of readJsonl(path)) forwards.push(entry)
        const backwards: unknown[] = []
        for await (const batch of readJsonlBackwards(path, { chunkBytes })) backwards.push(...batch)
        expect(backwards.reverse()).toEqual(forwards)
      },
    ),
    { numRuns: 200 },
  )
})
