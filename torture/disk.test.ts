import { expect, test } from 'vitest'
import { makeTrouble, troubleNames } from './disk.torture.ts'

test.for(troubleNames())('%s: a clear message, and nothing is lost', async (name, { skip }) => {
  const told = await makeTrouble(name)
  skip(told.startsWith('NOT TRIED'), told)
  expect(told).not.toBe('')
})
