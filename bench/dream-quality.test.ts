import { expect, test } from 'vitest'
import { consolidate } from '../src/dream/index.ts'
import { DEV_BANK } from './dream-quality/dev-bank.ts'
import { HELD_OUT_BANK } from './dream-quality/held-out-bank.ts'
import { plant } from './dream-quality/plant.ts'
import { score } from './dream-quality/score.ts'

/** What may never go wrong (7-bars.md), in a small version of the benchmark. */
const ALWAYS = [
  'facts kept',
  'exact',
  'dangling',
  'relative',
  'caps',
  'long-line',
  'secret',
  'refused',
  'injected',
  'pinned untouched',
  'others kept',
  'files parse',
]

test.each([DEV_BANK, HELD_OUT_BANK])('a dream over planted faults loses nothing: $name bank', async bank => {
  const garden = plant(bank, 1)
  const scores = score(garden, await consolidate(garden.material))
  expect(ALWAYS.flatMap(name => scores.get(name)?.misses ?? [`${name} was not planted`])).toEqual([])
})
