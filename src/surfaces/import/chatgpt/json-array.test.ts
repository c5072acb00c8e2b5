import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementsOf, NotAnArray } from './json-array.ts'

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const elements = (text: string, size = 7, largest?: number) =>
  Array.fromAsync(elementsOf(inChunks(text, size), largest))

test('the elements of any array, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      async (values, size, pretty) => {
        const text = pretty ? ` \n${JSON.stringify(values, null, 2)}\n` : JSON.stringify(values)
        const found = await elements(text, size)
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(text))
      },
    ),
  )
})

test('one bad element does not lose the others; the end of a file that was cut off is told', async () => {
  expect(await elements('[1, {oops}, {"a": "],}"}]')).toMatchObject([
    { value: 1 },
    { problem: expect.stringContaining('it is not JSON') },
    { value: { a: '],}' } },
  ])
  expect(await elements('[1, {"a"')).toMatchObject([
    { value: 1 },
    { problem: 'the file ends before it does' },
  ])
  expect(await elements('[1, "0123456789", 2]', 3, 8)).toMatchObject([
    { value: 1 },
    { problem: 'it is larger than 8 bytes' },
    { value: 2 },
  ])
})

test.each(['', ' ', '{"a": 1}', '"text"', 'hello'])('not an array: %j', async text => {
  await expect(elements(text)).rejects.toThrow(NotAnArray)
})
