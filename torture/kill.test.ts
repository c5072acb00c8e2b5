import { expect, test } from 'vitest'
import { killAtRandom } from './kill/harness.ts'
import { scenarioNames } from './kill.torture.ts'

test.each(scenarioNames())(
  '%s: killed at random instants, it loses nothing that was acknowledged',
  async name => {
    const result = await killAtRandom(name, { kills: 12, seed: Date.now() % 1_000_000 })
    expect(result.acknowledged).toBeGreaterThan(0)
  },
)
