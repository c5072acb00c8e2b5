import { expect, test } from 'vitest'
import { editTogether } from './edits.torture.ts'

test('random sequences of changes by two agents lose no edit silently', async () => {
  const seed = Date.now() % 1_000_000
  await expect(editTogether(30, seed), `seed ${seed}`).resolves.toContain('none lost')
})
