/**
 * What to do next, given what just happened with the model: one pure function, the table of 4-agent.md
 * ("Recovery") in code. Nothing here waits, asks or shows anything.
 */
import type { Failure } from '../models/index.ts'

/** How one request to the model ended. */
export type Happening =
  /** A whole reply. */
  | { kind: 'reply'; calls: number; cut: boolean; outputTokens: number }
  /**
   * No whole reply. `acted` tells that tools of what had arrived have begun to run: they cannot be taken back, so
   * what had arrived is kept and nothing is asked again that would run them twice.
   */
  | { kind: 'failure'; failure: Failure; acted: boolean }
  /** Nothing came for too long. */
  | { kind: 'idle'; acted: boolean }
  | { kind: 'interrupted' }

/** What recovery remembers while a message of the person is being answered. */
export interface RecoveryState {
  /** Requests that failed since the last reply. */
  failures: number
  /** The last ones of these, in a row, with which the provider was overloaded. */
  overloads: number
  /** Replies that were asked to go on, in a row. */
  continuations: number
  /** Continuations that added next to nothing, in all. */
  smallContinuations: number
  limitRaised: boolean
  compacted: boolean
  fellBack: boolean
  imagesDropped: boolean
  /** The next request is made without streaming. */
  whole: boolean
}

export const CALM: RecoveryState = {
  failures: 0,
  overloads: 0,
  continuations: 0,
  smallContinuations: 0,
  limitRaised: false,
  compacted: false,
  fellBack: false,
  imagesDropped: false,
  whole: false,
}

export type NextStep =
  | { do: 'finish' }
  | { do: 'run-tools' }
  /** Keep what came and let the model see the results of what has begun. */
  | { do: 'keep-and-go-on' }
  | { do: 'raise-limit' }
  | { do: 'continue' }
  | { do: 'stop-cut' }
  | { do: 'retry'; waitMs: number }
  | { do: 'retry-whole' }
  | { do: 'compact' }
  | { do: 'fall-back' }
  /** Say in the place of each image that it could not be looked at. */
  | { do: 'drop-images' }
  | { do: 'interrupt' }
  | { do: 'fail'; failure: Failure }

export interface RecoveryOptions {
  /** Another model can be asked. */
  hasFallback: boolean
  /** The reply may be longer than it was allowed to be. */
  canRaiseLimit: boolean
  canCompact: boolean
  hasImages: boolean
  /** From 0 to 1. */
  random: () => number
}

/** Tries of one request, the first included. */
export const MOST_TRIES = 10
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 32_000
/** A provider that asks for more than this is not waited for. */
const LONGEST_ASKED_WAIT_MS = 10 * 60_000
const JITTER = 0.25
const OVERLOADS_BEFORE_FALLBACK = 3
const MOST_CONTINUATIONS = 3
/** A continuation that adds fewer tokens than this has nothing left to say. */
const SMALL_CONTINUATION_TOKENS = 500
const MOST_SMALL_CONTINUATIONS = 3

export interface Decision {
  step: NextStep
  state: RecoveryState
}

export function recover(state: RecoveryState, happened: Happening, options: RecoveryOptions): Decision {
  switch (happened.kind) {
    case 'interrupted':
      return { step: { do: 'interrupt' }, state }
    case 'reply':
      return afterReply(state, happened, options)
    case 'idle':
      if (happened.acted) return keep(state)
      return state.whole
        ? afterFailure(state, SILENCE, options)
        : { step: { do: 'retry-whole' }, state: { ...state, failures: state.failures + 1, whole: true } }
    case 'failure':
      if (happened.acted) return keep(state)
      return afterFailure(state, happened.failure, options)
  }
}

const SILENCE: Failure = {
  kind: 'timeout',
  message: 'The model did not answer in time.',
  provider: '',
}

function keep(state: RecoveryState): Decision {
  return { step: { do: 'keep-and-go-on' }, state: { ...state, whole: false } }
}

function afterReply(
  state: RecoveryState,
  { calls, cut, outputTokens }: Extract<Happening, { kind: 'reply' }>,
  { canRaiseLimit }: RecoveryOptions,
): Decision {
  const calm = { ...state, failures: 0, overloads: 0, whole: false }
  if (calls > 0) return { step: { do: 'run-tools' }, state: { ...calm, continuations: 0 } }
  if (!cut) return { step: { do: 'finish' }, state: { ...calm, continuations: 0 } }
  if (canRaiseLimit && !state.limitRaised && state.continuations === 0)
    return { step: { do: 'raise-limit' }, state: { ...calm, limitRaised: true } }
  const isSmall = state.continuations > 0 && outputTokens < SMALL_CONTINUATION_TOKENS
  const smallContinuations = state.smallContinuations + (isSmall ? 1 : 0)
  if (state.continuations >= MOST_CONTINUATIONS || smallContinuations >= MOST_SMALL_CONTINUATIONS)
    return { step: { do: 'stop-cut' }, state: { ...calm, smallContinuations } }
  return {
    step: { do: 'continue' },
    state: { ...calm, smallContinuations, continuations: state.continuations + 1 },
  }
}

function afterFailure(state: RecoveryState, failure: Failure, options: RecoveryOptions): Decision {
  const fail: Decision = { step: { do: 'fail', failure }, state }
  switch (failure.kind) {
    case 'too-long':
      if (state.compacted || !options.canCompact) return fail
      return { step: { do: 'compact' }, state: { ...state, compacted: true } }
    case 'unauthorised':
    case 'forbidden':
    case 'not-found':
    case 'bad-request':
    case 'content-filter':
      return fail
    case 'image-refused':
      if (state.imagesDropped || !options.hasImages) return fail
      return { step: { do: 'drop-images' }, state: { ...state, imagesDropped: true } }
    case 'overloaded':
    case 'rate-limit':
    case 'server':
    case 'timeout':
    case 'network':
    case 'stream-broken':
    case 'unknown':
      return again(state, failure, options)
  }
}

function again(state: RecoveryState, failure: Failure, { hasFallback, random }: RecoveryOptions): Decision {
  const failures = state.failures + 1
  const overloads = failure.kind === 'overloaded' ? state.overloads + 1 : 0
  const next = { ...state, failures, overloads }
  if (overloads >= OVERLOADS_BEFORE_FALLBACK && hasFallback && !state.fellBack)
    return { step: { do: 'fall-back' }, state: { ...next, failures: 0, overloads: 0, fellBack: true } }
  const asked = failure.retryAfterMs
  const hopeless = asked !== undefined && asked > LONGEST_ASKED_WAIT_MS
  if (failures >= MOST_TRIES || hopeless) return { step: { do: 'fail', failure }, state: next }
  return { step: { do: 'retry', waitMs: asked ?? backoff(failures, random) }, state: next }
}

/** 500 ms, doubled with every failure up to 32 s, and up to a quarter more so that not everybody returns at once. */
export function backoff(failures: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)
  return Math.round(wait * (1 + JITTER * random()))
}
