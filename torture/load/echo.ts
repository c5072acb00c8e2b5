/** A model that says what it was told to, a few words at a time. */
import type { Reply, WireRequest } from '../../src/models/wire.fixture.ts'

const WORDS = 'and that is all there is to it. '

export function echo({ text }: WireRequest): Reply {
  const asked = [...text.matchAll(/Say (marker-[\d-]+)\./g)].at(-1)?.[1] ?? 'nothing'
  return { text: `I say ${asked}. ${WORDS.repeat(4)}`, fault: { trickle: 10 } }
}
