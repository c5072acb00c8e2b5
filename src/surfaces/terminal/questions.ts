/** What the agent asks the person: one question at a time, in the order in which they came. */
import type { AskPermission, PermissionAnswer } from '../../agent/index.ts'
import type { Ask } from '../../tools/index.ts'
import { callLines } from './call-text.ts'
import type { OpenQuestion } from './live.ts'
import { type Line, line, lines } from './style.ts'
import { wrap } from './wrap.ts'

interface Pending {
  open: OpenQuestion
  /** What is asked about, for the scrollback. */
  about: readonly Line[]
  isShown: boolean
  /** Undefined leaves the question open. */
  answer(said: Said): void
  signal: AbortSignal
}

/** A choice by its place, or words. */
export type Said = { choice: number } | { text: string }

export interface QuestionsOptions {
  width(): number
  /** Something is asked, was chosen or is over. */
  changed(): void
  /** For the scrollback. */
  say(rows: readonly Line[]): void
}

export class Questions {
  #options: QuestionsOptions
  #pending: Pending[] = []

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  get open(): OpenQuestion | undefined {
    return this.#pending[0]?.open
  }

  /** Another choice; from none the first one down, the last one up. */
  #move(by: -1 | 1): void {
    const first = this.#pending[0]
    if (!first || first.open.choices.length === 0) return
    const { selected, choices } = first.open
    const next = selected < 0 ? (by > 0 ? 0 : choices.length - 1) : selected + by
    first.open = { ...first.open, selected: Math.min(Math.max(0, next), choices.length - 1) }
    this.#options.changed()
  }

  /** Answers with a choice. False where there is none in that place. */
  #choose(at: number): boolean {
    const first = this.#pending[0]
    if (!first || at < 0 || at >= first.open.choices.length) return false
    first.answer({ choice: at })
    return true
  }

  /** Answers in words. */
  #say(text: string): void {
    this.#pending[0]?.answer({ text })
  }

  /** What a key means while something is asked. False where it means nothing to the question. */
  key(name: string, typed: { readonly isEmpty: boolean; take(): string }): boolean {
    const { open } = this
    if (!open) return false
    if (!typed.isEmpty) {
      if (name === 'enter') this.#say(typed.take())
      return name === 'enter'
    }
    if (name === 'up' || name === 'down') this.#move(name === 'up' ? -1 : 1)
    else if (/^[1-9]$/.test(name)) return this.#choose(Number(name) - 1)
    else if (name === 'enter') this.#choose(open.selected)
    else return false
    return true
  }

  /** The agent's own question. */
  ask: Ask = async ({ question, options }, signal) => {
    const about = wrapped(question, this.#options.width())
    const title = options.length > 0 ? 'Choose, or type another answer' : 'Type your answer'
    const choices = options.map(label => ({ label }))
    const said = await this.#asked({ title, choices, selected: -1 }, about, signal)
    return 'text' in said ? said.text : (options[said.choice] ?? '')
  }

  /** Whether something may be done. What is typed instead of a choice is a no, with it as the reason. */
  askPermission: AskPermission = async ({ tool, input, reason, suggestion, canAlways }, signal) => {
    const width = this.#options.width()
    const about = [...callLines(tool, input, width), ...wrapped(reason, width)]
    const rule = suggestion === undefined ? {} : { note: suggestion }
    const answers: { answer: PermissionAnswer['answer']; label: string; note?: string }[] = [
      { answer: 'once', label: 'Yes, once' },
      { answer: 'session', label: 'Yes, for this session', ...rule },
      ...(canAlways ? [{ answer: 'always' as const, label: 'Yes, always', ...rule }] : []),
      { answer: 'no', label: 'No', note: '(or type what to do instead)' },
    ]
    const said = await this.#asked({ title: `Allow ${tool}?`, choices: answers, selected: -1 }, about, signal)
    if ('text' in said)
      return said.text.trim() === '' ? { answer: 'no' } : { answer: 'no', reason: said.text }
    return { answer: answers[said.choice]?.answer ?? 'no' }
  }

  /** The next question is shown when the one before is over; one that nobody needs any more goes. */
  async #asked(open: OpenQuestion, about: readonly Line[], signal: AbortSignal): Promise<Said> {
    const { promise, resolve, reject } = Promise.withResolvers<Said>()
    const pending: Pending = { open, about, isShown: false, answer: resolve, signal }
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    this.#pending.push(pending)
    this.#showFirst()
    try {
      const said = await promise
      this.#options.say([line(answerText(open, said), { dim: true })])
      return said
    } finally {
      signal.removeEventListener('abort', stop)
      this.#pending = this.#pending.filter(other => other !== pending)
      this.#showFirst()
      this.#options.changed()
    }
  }

  #showFirst(): void {
    const [first] = this.#pending
    if (!first || first.isShown) return
    first.isShown = true
    this.#options.say(first.about)
    this.#options.changed()
  }
}

function answerText({ choices }: OpenQuestion, said: Said): string {
  if ('choice' in said) return `→ ${choices[said.choice]?.label ?? ''}`
  return said.text.trim() === '' ? '→ No' : `→ ${said.text}`
}

function wrapped(text: string, width: number): Line[] {
  return lines(text).flatMap(row => wrap(row, width))
}
