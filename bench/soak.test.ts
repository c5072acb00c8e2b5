import { expect, test } from 'vitest'
import { temporaryDirectory } from '../src/store/temporary-directory.fixture.ts'
import { passTime } from './soak/day.ts'

test('the soak passes time in which heartbeats and jobs are answered, one session each', async () => {
  const [end] = await passTime({ directory: temporaryDirectory(), hours: 130 / 3_600 })
  expect(end).toMatchObject({ failed: 0, live: expect.any(Number) })
  // Two heartbeats in each of the four half minutes, three jobs in each of the two minutes, some a little late.
  expect(end?.runs).toBeGreaterThanOrEqual(8 + 3)
  expect(end?.runs).toBeLessThanOrEqual(8 + 6)
  expect(end?.live).toBeLessThanOrEqual(5)
  expect(end).toMatchObject({ ledgerEntries: end?.runs, sessions: end?.runs })
})
