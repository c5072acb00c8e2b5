import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Failure, FailureKind } from '../models/index.ts'
import {
  backoff,
  CALM,
  type Happening,
  type NextStep,
  type RecoveryOptions,
  type RecoveryState,
  recover,
} from './recovery.ts'

const OPTIONS: RecoveryOptions = {
  hasFallback: true,
  canRaiseLimit: true,
  canCompact: true,
  hasImages: true,
  random: () => 0,
}

const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({
  kind,
  message: kind,
  provider: 'p',
  ...more,
})
const failed = (kind: FailureKind, more: Partial<Failure> = {}): Happening => ({
  kind: 'failure',
  failure: failure(kind, more),
  acted: false,
})
const reply = (more: Partial<Extract<Happening, { kind: 'reply' }>> = {}): Happening => ({
  kind: 'reply',
  calls: 0,
  cut: false,
  outputTokens: 1_000,
  ...more,
})
const cut = (outputTokens = 1_000) => reply({ cut: true, outputTokens })

/** What is done after each of the things that happen, one after the other. */
function path(happenings: readonly Happening[], options: Partial<RecoveryOptions> = {}): string[] {
  let state: RecoveryState = CALM
  return happenings.map(happened => {
    const decided = recover(state, happened, { ...OPTIONS, ...options })
    state = decided.state
    return name(decided.step)
  })
}

const name = (step: NextStep) => (step.do === 'retry' ? `retry ${step.waitMs}` : step.do)

test.each<[what: string, happenings: Happening[], path: string[], options?: Partial<RecoveryOptions>]>([
  ['an answer', [reply()], ['finish']],
  ['tools', [reply({ calls: 2 }), reply()], ['run-tools', 'finish']],
  ['tools in a reply that was cut', [reply({ calls: 1, cut: true })], ['run-tools']],
  [
    'cut: a higher limit once, then three continuations',
    [cut(), cut(), cut(), cut(), cut()],
    ['raise-limit', 'continue', 'continue', 'continue', 'stop-cut'],
  ],
  ['cut, and the higher limit was enough', [cut(), reply()], ['raise-limit', 'finish']],
  ['cut, where there is no higher limit', [cut(), reply()], ['continue', 'finish'], { canRaiseLimit: false }],
  [
    'cut again after tools: the limit is not raised twice',
    [cut(), reply({ calls: 1 }), cut()],
    ['raise-limit', 'run-tools', 'continue'],
  ],
  [
    'continuations that add next to nothing end it early, also over several replies',
    [cut(), cut(10), cut(10), reply({ calls: 1 }), cut(10), cut(10)],
    ['continue', 'continue', 'continue', 'run-tools', 'continue', 'stop-cut'],
    { canRaiseLimit: false },
  ],
  [
    'too long: compact once, then a clear error',
    [failed('too-long'), failed('too-long')],
    ['compact', 'fail'],
  ],
  ['too long, and nothing to compact', [failed('too-long')], ['fail'], { canCompact: false }],
  [
    'too long, compacted, then busy, then fine',
    [failed('too-long'), failed('server'), reply()],
    ['compact', 'retry 500', 'finish'],
  ],
  [
    'waits double',
    Array(8).fill(failed('server')),
    [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000].map(ms => `retry ${ms}`),
  ],
  [
    'ten tries at most',
    Array(10).fill(failed('network')),
    [...[500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000].map(ms => `retry ${ms}`), 'fail'],
  ],
  [
    'Retry-After wins',
    [failed('rate-limit', { retryAfterMs: 7_000 }), failed('rate-limit', { retryAfterMs: 0 })],
    ['retry 7000', 'retry 0'],
  ],
  ['an hour is not waited', [failed('rate-limit', { retryAfterMs: 3_600_000 })], ['fail']],
  [
    'a reply in between starts the count anew',
    [failed('server'), reply({ calls: 1 }), failed('server')],
    ['retry 500', 'run-tools', 'retry 500'],
  ],
  [
    'overloaded three times: the other model, once',
    [...Array(3).fill(failed('overloaded')), ...Array(3).fill(failed('overloaded'))],
    ['retry 500', 'retry 1000', 'fall-back', 'retry 500', 'retry 1000', 'retry 2000'],
  ],
  [
    'overloaded, but not in a row',
    [failed('overloaded'), failed('overloaded'), failed('server'), failed('overloaded')],
    ['retry 500', 'retry 1000', 'retry 2000', 'retry 4000'],
  ],
  [
    'overloaded with no other model',
    Array(4).fill(failed('overloaded')),
    ['retry 500', 'retry 1000', 'retry 2000', 'retry 4000'],
    { hasFallback: false },
  ],
  [
    'silence: once without streaming, then like any failure',
    [{ kind: 'idle', acted: false }, { kind: 'idle', acted: false }, reply()],
    ['retry-whole', 'retry 1000', 'finish'],
  ],
  [
    'streaming again after a reply',
    [{ kind: 'idle', acted: false }, reply({ calls: 1 }), { kind: 'idle', acted: false }],
    ['retry-whole', 'run-tools', 'retry-whole'],
  ],
  ['a broken stream is asked again', [failed('stream-broken'), reply()], ['retry 500', 'finish']],
  [
    'an image too large is taken out, once',
    [failed('image-refused'), failed('image-refused')],
    ['drop-images', 'fail'],
  ],
  ['interrupted', [failed('server'), { kind: 'interrupted' }], ['retry 500', 'interrupt']],
  ...(['unauthorised', 'forbidden', 'not-found', 'bad-request', 'content-filter'] as const).map(
    (kind): [string, Happening[], string[]] => [`${kind} is not tried again`, [failed(kind)], ['fail']],
  ),
])('%s', (_, happenings, expected, options) => {
  expect(path(happenings, options)).toEqual(expected)
})

const ANY_KIND = fc.constantFrom<FailureKind>(
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'too-long',
  'stream-broken',
  'unknown',
  'unauthorised',
)
const ANYTHING = fc.oneof(
  ANY_KIND.map(kind => failed(kind)),
  fc.constant<Happening>({ kind: 'idle', acted: false }),
  fc.record({ cut: fc.boolean(), outputTokens: fc.nat(2_000) }).map(reply),
)

test('whatever happens, without tools it comes to an end', () => {
  fc.assert(
    fc.property(
      fc.array(ANYTHING, { minLength: 60, maxLength: 60 }),
      fc.boolean(),
      (happenings, hasFallback) => {
        const ends = new Set(['finish', 'fail', 'stop-cut'])
        expect(path(happenings, { hasFallback }).some(step => ends.has(step))).toBe(true)
      },
    ),
  )
})

test('once tools have begun, nothing is asked again that would run them twice', () => {
  fc.assert(
    fc.property(fc.array(ANYTHING, { maxLength: 5 }), ANY_KIND, fc.boolean(), (before, kind, idle) => {
      let state = CALM
      for (const happened of before) state = recover(state, happened, OPTIONS).state
      const happened: Happening = idle
        ? { kind: 'idle', acted: true }
        : ({ ...failed(kind), acted: true } as Happening)
      expect(recover(state, happened, OPTIONS).step.do).toBe('keep-and-go-on')
    }),
  )
})

test('a wait has up to a quarter more', () => {
  expect([backoff(1, () => 0), backoff(1, () => 1), backoff(99, () => 1)]).toEqual([500, 625, 40_000])
})
