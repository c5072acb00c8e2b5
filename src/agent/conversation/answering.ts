import type { Select } from '../../memory/index.ts'
import type { Emit, End, Transition } from '../events.ts'
import { askAfterAnswer, askBeforeAnswer } from '../hooks/index.ts'
import { answer, beginAnswer, type LoopParts, programMessage } from '../loop.ts'
import { lookBack, recalledMessage } from '../recalling.ts'
import type { Conversation } from './conversation.ts'
import type { View } from './view.ts'

/** How often a hook may send an answer back for more. */
const MOST_SENT_BACK = 3

export interface AnsweringOptions {
  view: View
  partsFor(emit: Emit, signal: AbortSignal): LoopParts
  /** Who chooses what is recalled, where it is not words alone. */
  select(emit: Emit, signal: AbortSignal): Select | undefined
  /** Told when an answer has ended, however it did. */
  answered(end: End): void
}

/** How what was said is answered: hooks are asked, memories recalled, the loop goes round, and all of it is kept. */
export class Answering {
  #conversation: Conversation
  #options: AnsweringOptions

  constructor(conversation: Conversation, options: AnsweringOptions) {
    this.#conversation = conversation
    this.#options = options
  }

  /** Answers what was said, after hooks were asked and memories recalled for it. */
  async answerTo(text: string, emit: Emit, signal: AbortSignal): Promise<End> {
    const { options, found, talk, now } = this.#conversation
    const { memory } = options
    // While hooks are asked: a model that chooses takes its time, too.
    const lookingBack =
      memory &&
      lookBack(text, { memory, messages: talk.messages, select: this.#options.select(emit, signal) })
    const { blocked, context } = await askBeforeAnswer(found.hooks, text, { emit, signal, now: now() })
    await talk.keep(...context)
    if (blocked !== undefined) return this.#ended({ reason: 'denied', message: blocked }, emit)
    const recalled = lookingBack && recalledMessage(await lookingBack, { now: now(), emit })
    if (recalled) await talk.keep(recalled)
    return this.answer('person-spoke', emit, signal)
  }

  async answer(first: Transition, emit: Emit, signal: AbortSignal): Promise<End> {
    const { found, talk, mind, hearing } = this.#conversation
    const { view, partsFor } = this.#options
    let sentBack = 0
    await unlessAborted(view.make(), signal)
    for (const text of [...found.notices.splice(0), mind.unbounded()])
      if (text !== undefined) emit({ type: 'notice', text })
    for (let transition = first; ; transition = 'steered') {
      const start = beginAnswer(mind.model, talk.messages, talk.summary, transition)
      const { state, end } = await answer(start, partsFor(emit, signal))
      talk.goesOnFrom(state)
      // What interrupts is answered next, and all that waits with it.
      if (end.reason === 'interrupted' && hearing.isUrgent) return this.#ended(end, emit)
      // Said too late to be heard: it is kept however this ended, and answered if it can be.
      const unheard = await this.keepUnheard()
      const more =
        end.reason === 'answered' && sentBack < MOST_SENT_BACK && (await this.#wantsMore(emit, signal))
      if (more) sentBack++
      if (end.reason === 'answered' && (unheard || more)) continue
      return this.#ended(end, emit)
    }
  }

  /** Whether there was any. */
  async keepUnheard(): Promise<boolean> {
    const { talk, hearing } = this.#conversation
    const heard = hearing.take()
    if (heard.length === 0) return false
    await talk.keep(...heard)
    await this.keepUnheard() // what came while that was written
    return true
  }

  /** A failure never looks like a success, to nobody who reads the session later. */
  async #ended(end: End, emit: Emit): Promise<End> {
    const { transcript } = this.#conversation.talk
    const { view, answered } = this.#options
    const failed = end.reason === 'answered' ? null : (end.message ?? end.reason)
    if (failed !== (transcript.meta.failed ?? null)) await transcript.note({ failed })
    emit({ type: 'ended', end })
    await view.keepCalibration()
    answered(end)
    return end
  }

  /** Whether a hook sends the answer back; why, is said to the model. */
  async #wantsMore(emit: Emit, signal: AbortSignal): Promise<boolean> {
    const { found, talk, now } = this.#conversation
    const why = await askAfterAnswer(found.hooks, talk.answered, { emit, signal, now: now() })
    if (why) await talk.keep(why, programMessage('Go on until this is settled.', now()))
    return why !== undefined
  }
}

/** What is waited for before the first request (servers that start) holds up nobody who interrupts. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
