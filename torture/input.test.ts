import { expect, test } from 'vitest'
import { feedWith, inputNames } from './input.torture.ts'

test.each(inputNames())('%s: bad input is refused or skipped, and nothing is lost', async name => {
  expect(await feedWith(name, 1_000, Date.now() % 1_000_000)).toContain('after all')
})
