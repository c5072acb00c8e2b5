import { expect, test } from 'vitest'
import { killAtRandom } from './kill/harness.ts'
import { scenarioNames } from './kill.torture.ts'

/** A gateway takes longer to begin something than this may take; it is killed by hand in src/cli/gateway.test.ts. */
const SHORT = scenarioNames().filter(name => name !== 'gateway')

test.each(SHORT)('%s: killed at random instants, it loses nothing that was acknowledged', async name => {
  const result = await killAtRandom(name, { kills: 4, seed: Date.now() % 1_000_000 })
  expect(result.acknowledged).toBeGreaterThan(0)
})
