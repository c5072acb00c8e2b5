import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { followOutput, OutputFile, readOutput, wholeCharacters } from './output.ts'

test('what is said is kept in order up to the limit, never half a character, and says that more was said', async () => {
  const path = join(temporaryDirectory(), 'out.txt')
  const output = new OutputFile(path, 8)
  for (const text of ['one', '', ' äöü', 'more']) output.add(text)
  await output.close()
  expect(readFileSync(path, 'utf8')).toBe('one äö\n[More was said than is kept.]\n')
})

test('a file that cannot be written is a problem, not a failure of the work', async () => {
  const output = new OutputFile(join(temporaryDirectory(), 'none', 'out.txt'))
  output.add('lost')
  await output.close()
  expect(output.problem).toMatch(/does not exist/)
})

test('it is read by parts, and the rest of a character with the next one', async () => {
  const path = join(temporaryDirectory(), 'out.txt')
  expect(await readOutput(path, { growing: true })).toEqual({ text: '', from: 0, next: 0, size: 0 })
  appendFileSync(path, Buffer.from([0x61, 0xf0, 0x9f]))
  expect(await readOutput(path, { from: 0, growing: true })).toEqual({ text: 'a', from: 0, next: 1, size: 3 })
  appendFileSync(path, Buffer.from([0x98, 0x80, 0x62]))
  expect(await readOutput(path, { from: 1, growing: true })).toEqual({
    text: '😀b',
    from: 1,
    next: 6,
    size: 6,
  })
  expect(await readOutput(path, { from: 99, growing: false })).toMatchObject({ text: '', next: 6 })
  appendFileSync(path, 'x'.repeat(60_000))
  expect(await readOutput(path, { growing: false })).toMatchObject({ from: 32_006, next: 60_006 })
})

test('following it gives all there is and all that comes, also what was printed last', async () => {
  const path = join(temporaryDirectory(), 'out.txt')
  const long = 'y'.repeat(70_000)
  let asked = 0
  const isOver = async () => {
    asked++
    if (asked === 2) appendFileSync(path, long)
    if (asked === 5) appendFileSync(path, 'end\n')
    return asked >= 5
  }
  let all = ''
  for await (const text of followOutput(path, isOver)) all += text
  expect(all).toBe(`${long}end\n`)
})

test.each([
  [[0x61], 1],
  [[], 0],
  [[0x61, 0xf0, 0x9f, 0x98], 1],
  [[0x61, 0xf0, 0x9f, 0x98, 0x80], 5],
  [[0xe4, 0xbd], 0],
  [[0xc3], 0],
  [[0x80, 0x80, 0x80, 0x80], 4],
])('of %j, %i bytes are whole characters', (bytes, whole) => {
  expect(wholeCharacters(Uint8Array.from(bytes))).toBe(whole)
})
