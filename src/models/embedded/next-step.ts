/**
 * What the mind does next: a pure function of the conversation. Each thing the person wants is worked on
 * by asking for results; what is not there yet becomes a call, and when nothing is missing any more, the
 * answer is said. A call that was made is never made again, so a message needs at most three steps.
 */

import { answer, correct, forget, forgetChosen, save, sessions } from './acting.ts'
import { type Act, actsIn } from './acts.ts'
import { type Made, type Message, type Result, readTurn, type Turn } from './conversation.ts'
import { touching } from './findings.ts'
import { ignoresMemory } from './ignoring.ts'
import { ownWords } from './own-words.ts'
import { PHRASES } from './phrases.ts'
import type { Language } from './sentences.ts'
import { memoryLine } from './showing.ts'
import { tellingWords } from './words.ts'

export interface Call {
  id: string
  name: string
  input: Record<string, unknown>
}

export type Step = { text: string; calls: Call[] }

/** What an act has to work with. */
export interface Desk {
  turn: Turn
  now: Date
  has(tool: string): boolean
  /** The result of a call; undefined while there is none, and then the call is going to be made. */
  result(name: string, input: Record<string, unknown>): Result | undefined
}

/** Searching, then saving or forgetting; the bound is for conversations that are not ours. */
const MOST_STEPS = 4
const MOST_CALLS_A_STEP = 24
const LONGEST_ANSWER = 8_000
const MOST_RECALLED = 5

/** `tools` are the names of those that may be called. */
export function nextStep(prompt: readonly Message[], tools: ReadonlySet<string>, now: Date): Step {
  const turn = readTurn(prompt)
  if (turn.words === undefined) return { text: PHRASES.en.sawNotice, calls: [] }
  const wanted: Call[] = []
  const desk = deskFor(turn, tools, now, wanted)
  const acts = actsIn(turn.words, turn.before, now)
  const said = acts.map(act => perform(act, desk))
  if (wanted.length > 0) return { text: '', calls: wanted }
  // Something told in passing, and no memory to keep it in: nothing was done, and that is said.
  return { text: composed(said) || PHRASES[acts[0]?.language ?? 'en'].memoryOff, calls: [] }
}

function deskFor(turn: Turn, tools: ReadonlySet<string>, now: Date, wanted: Call[]): Desk {
  return {
    turn,
    now,
    has: tool => tools.has(tool),
    result(name, input) {
      const key = keyOf(name, input)
      const made = turn.made.find(call => keyOf(call.name, call.input) === key)
      if (made) return made.result ?? { ok: false, message: 'No result came back.' }
      if (turn.steps >= MOST_STEPS)
        return { ok: false, message: 'It would take more steps than I take for a message.' }
      const isWanted = wanted.some(call => keyOf(call.name, call.input) === key)
      if (!isWanted && wanted.length < MOST_CALLS_A_STEP)
        wanted.push({ id: idFor(turn, wanted.length), name, input })
      return undefined
    },
  }
}

/** A call is known again by what it asks, whatever became of its id. */
function keyOf(name: string, input: Made['input']): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, each]) => [key, sorted(each)]),
    )
  }
  return `${name} ${JSON.stringify(sorted(input))}`
}

function idFor({ number, words = '', made }: Turn, position: number): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193)
  return `embedded-${number}-${(hash >>> 0).toString(36)}-${made.length + position}`
}

function perform(act: Act, desk: Desk): string {
  const phrases = PHRASES[act.language]
  switch (act.do) {
    case 'save':
      return save(act.statement, act.language, desk)
    case 'correct':
      return correct(act.statement, act.language, desk)
    case 'forget':
      return forget(act.forget, act.words, act.language, desk)
    case 'forget chosen':
      return forgetChosen(act.files, act.language, desk)
    case 'ask':
      return act.asking.about === 'sessions'
        ? sessions(act.asking, act.language, desk)
        : answer(act.asking, act.language, desk)
    case 'talk':
      return phrases.talk[act.talk]
    case 'remember nothing':
      return desk.has('memory_save') ? phrases.rememberWhat : phrases.memoryOff
    case 'decline':
      return act.whole ? withKnown(phrases.cannot, act.language, desk) : phrases.cannotRest
    case 'leave':
      return withKnown(phrases.notSure, act.language, desk)
  }
}

/** Whatever the mind cannot do itself, what is known about it is shown. */
function withKnown(said: string, language: Language, { turn }: Desk): string {
  const own = ownWords(turn.words ?? '')
  const known = ignoresMemory(own) ? [] : touching(tellingWords(own), turn.recalled).slice(0, MOST_RECALLED)
  if (known.length === 0) return said
  const lines = known.map(finding => memoryLine(finding, language))
  return `${said}\n\n${PHRASES[language].alsoInMemory}\n${lines.join('\n')}`
}

/** Confirmations stand line by line, answers apart. */
function composed(said: readonly string[]): string {
  const parts = [...new Set(said.filter(text => text !== ''))]
  let text = ''
  for (const [at, part] of parts.entries()) {
    const apart = part.includes('\n') || (parts[at - 1] ?? '').includes('\n')
    text += at === 0 ? part : `${apart ? '\n\n' : '\n'}${part}`
  }
  return text.length <= LONGEST_ANSWER ? text : `${text.slice(0, LONGEST_ANSWER).toWellFormed()}…`
}
