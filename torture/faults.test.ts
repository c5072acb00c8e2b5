import { expect, test } from 'vitest'
import { breakConversations } from './faults.torture.ts'

test('whatever goes wrong on the wire, a conversation ends as it should and no tool runs twice', async () => {
  const seed = Date.now() % 1_000_000
  const { seen } = await breakConversations(60, seed)
  expect([...seen.keys()], `seed ${seed}`).toContain('answered')
})
