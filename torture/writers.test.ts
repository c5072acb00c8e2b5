import { expect, test } from 'vitest'
import { saveAtOnce } from './writers.torture.ts'

test('processes that save at the same time lose nothing', async () => {
  expect(await saveAtOnce(4, 8)).toMatchObject({ memories: 32, indexed: 32 })
})
