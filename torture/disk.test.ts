import { expect, test } from 'vitest'
import { makeTrouble, troubleNames } from './disk.torture.ts'

test.each(troubleNames())('%s: a clear message, and nothing is lost', async name => {
  expect(await makeTrouble(name)).not.toBe('')
})
