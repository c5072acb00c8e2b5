/** Follows a conversation that is held open, and tells in patches what changes of it on the page. */
import type { ConversationEvent, HeldConversation, OpenQuestion } from '../../assembly/index.ts'
import type { Effect } from '../../tools/index.ts'
import { itemsOf, shorten, toolItem } from './history-items.ts'
import { apply, type Item, type Patch, type QuestionItem, type Thread, type ThreadState } from './thread.ts'

/** Messages of a session that are shown when it is opened; all of them are under Sessions. */
const MOST_MESSAGES = 120
/** Items that a page holds of one conversation. */
const MOST_ITEMS = 600

export class Recorder {
  #held: HeldConversation
  #thread: Thread
  #count = 0
  /** Of the reply that is being written. */
  #reply: string | undefined

  constructor(held: HeldConversation) {
    this.#held = held
    const { messages, questions } = held
    const shown = messages.slice(-MOST_MESSAGES)
    this.#thread = {
      ...stateOf(held),
      earlier: messages.length - shown.length,
      items: [...itemsOf(shown), ...questions.map(questionItem)],
    }
  }

  get thread(): Thread {
    return this.#thread
  }

  /** A command of the person's, and what came of it. */
  command(line: string, text: string, isProblem = false): Patch[] {
    return this.#keep([{ put: { kind: 'command', id: this.#nextId(), line, text, isProblem } }])
  }

  on(event: ConversationEvent): Patch[] {
    return this.#keep(this.#patches(event))
  }

  #keep(patches: Patch[]): Patch[] {
    const over = this.#thread.items.length - MOST_ITEMS
    const dropped = over > 0 ? this.#thread.items.slice(0, over).map(({ id }) => ({ drop: id })) : []
    const all = [...patches, ...dropped]
    for (const patch of all) this.#thread = apply(this.#thread, patch)
    return all
  }

  #patches(event: ConversationEvent): Patch[] {
    switch (event.type) {
      case 'said': {
        const { id, text, at, waits } = event
        return [{ put: { kind: 'said', id: this.#own(id), text, at, by: 'person', waits } }]
      }
      case 'transition':
        // What was said meanwhile has been heard by now.
        return this.#waitingWords()
      case 'working':
        return [{ set: stateOf(this.#held) }]
      case 'idle':
        return [...this.#closeReply(), ...this.#waitingWords(), { set: stateOf(this.#held) }]
      case 'text':
      case 'thinking':
        return [...this.#openReply(), this.#more(event.type, event.delta)]
      case 'retracted':
        return this.#dropReply()
      case 'reply':
        return this.#closeReply()
      case 'tool-started':
        return [{ put: toolItem(event.call.call, event.call.tool, event.call.input) }]
      case 'tool-progress':
        return this.#tool(event.call.call, { progress: shorten(event.text) })
      case 'tool-ended':
        return this.#tool(event.call, { outcome: event.outcome, text: shorten(event.text) })
      case 'recalled': {
        const memories = event.memories.map(({ file, scope, name, type, note }) => ({
          file,
          scope,
          name,
          type,
          note,
        }))
        return [{ put: { kind: 'recalled', id: this.#nextId(), memories } }]
      }
      case 'effect':
        return [{ put: this.#effect(event.effect) }]
      case 'aside': {
        const { job, text, undo } = event
        return [{ put: { kind: 'aside', id: this.#nextId(), job, text, undo: undo?.id ?? null } }]
      }
      case 'notice':
        return [this.#notice(event.text, false)]
      case 'waiting': {
        const until = new Date(Date.now() + event.ms).toISOString()
        const { why, attempt, of } = event
        return [{ put: { kind: 'waiting', id: 'waiting', why, until, attempt, of } }]
      }
      case 'usage':
        return [{ drop: 'waiting' }, { set: usageOf(event.total) }]
      case 'asked':
        return [{ put: questionItem(event.question) }]
      case 'settled':
        return [{ drop: event.question }]
      case 'ended': {
        const { reason, message } = event.end
        const closed: Patch[] = [...this.#closeReply(), { drop: 'waiting' }]
        if (reason === 'answered') return closed
        if (reason === 'interrupted') return [...closed, this.#notice('Interrupted.', false)]
        return [...closed, this.#notice(message ?? `This ended without an answer: ${reason}.`, true)]
      }
      case 'closed':
        return []
    }
  }

  #openReply(): Patch[] {
    if (this.#reply !== undefined) return []
    this.#reply = this.#nextId()
    return [
      { drop: 'waiting' },
      { put: { kind: 'reply', id: this.#reply, text: '', thinking: '', open: true } },
    ]
  }

  #more(field: 'text' | 'thinking', text: string): Patch {
    return { more: this.#reply ?? '', field, text }
  }

  #dropReply(): Patch[] {
    const id = this.#reply
    this.#reply = undefined
    return id === undefined ? [] : [{ drop: id }]
  }

  #closeReply(): Patch[] {
    const id = this.#reply
    this.#reply = undefined
    const item = this.#find(id)
    return item?.kind === 'reply' ? [{ put: { ...item, open: false } }] : []
  }

  #tool(call: string, change: object): Patch[] {
    const item = this.#find(call)
    return item?.kind === 'tool' ? [{ put: { ...item, ...change } }] : []
  }

  #waitingWords(): Patch[] {
    return this.#thread.items.flatMap(item =>
      item.kind === 'said' && item.waits ? [{ put: { ...item, waits: false } }] : [],
    )
  }

  #effect(effect: Effect): Item {
    if (effect.kind === 'todo') return { kind: 'todo', id: 'todo', items: [...effect.items] }
    const { name, file, undo = null, warnings } = effect
    const what = effect.kind === 'forgotten' ? 'forgotten' : effect.created ? 'remembered' : 'updated'
    return { kind: 'effect', id: this.#nextId(), what, name, file, undo, warnings: [...warnings] }
  }

  #notice(text: string, isProblem: boolean): Patch {
    return { put: { kind: 'notice', id: this.#nextId(), text, isProblem } }
  }

  #find(id: string | undefined): Item | undefined {
    return this.#thread.items.findLast(item => item.id === id)
  }

  /** Unlike those of an earlier time that the session was open. */
  #own(id: string): string {
    return `${id}-${this.#nextId()}`
  }

  #nextId(): string {
    return `live-${++this.#count}`
  }
}

function stateOf(held: HeldConversation): Omit<ThreadState, 'earlier'> {
  const { agent, isWorking } = held
  const { meta } = agent.transcript
  return {
    session: held.id,
    title: meta.title ?? '',
    model: agent.model.id,
    isWorking,
    isUnanswered: !isWorking && agent.isUnanswered,
    ...usageOf(meta.usage),
  }
}

function usageOf(
  usage: { input: number; output: number; cacheRead: number; usd?: number } | undefined,
): Pick<ThreadState, 'tokens' | 'usd'> {
  const { input = 0, output = 0, cacheRead = 0, usd } = usage ?? {}
  return { tokens: { in: input, out: output, cached: cacheRead }, usd: usd ?? null }
}

function questionItem({ id, ...asked }: OpenQuestion): QuestionItem {
  if (asked.kind === 'question') {
    const { question, options } = asked
    return { kind: 'question', id, ask: { kind: 'question', question, options: [...options] } }
  }
  const { tool, input, reason, suggestion = null, canAlways } = asked
  const shown = shorten(typeof input === 'string' ? input : JSON.stringify(input, null, 2))
  return {
    kind: 'question',
    id,
    ask: { kind: 'permission', tool, input: shown, reason, suggestion, canAlways },
  }
}
