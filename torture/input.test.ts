import { expect, test } from 'vitest'
import { feedWith, inputNames } from './input.torture.ts'

test.each(inputNames())('%s: bad input is refused or skipped, and nothing is lost', async name => {
  const seed = Date.now() % 1_000_000
  await expect(feedWith(name, 1_000, seed), `seed ${seed}`).resolves.toContain('after all')
})
