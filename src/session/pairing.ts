/** Every tool call has exactly one result, whatever happened in between. */
import {
  type Message,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
  toolResultsOf,
} from './message.ts'

export interface InFlight extends Pick<ToolCallPart, 'call' | 'tool' | 'input'> {
  /** It had begun; it may have done its work, in whole or in part. */
  started: boolean
}

/** The calls that have no result, in the order in which they were made. */
export function unanswered(messages: readonly Message[], started: ReadonlySet<string>): InFlight[] {
  const answered = new Set(resultsIn(messages).map(({ call }) => call))
  const open = new Map<string, InFlight>()
  for (const { role, parts } of messages) {
    if (role !== 'assistant') continue
    for (const part of parts) {
      if (part.type !== 'tool-call' || answered.has(part.call)) continue
      const { call, tool, input } = part
      open.set(call, { call, tool, input, started: started.has(call) })
    }
  }
  return [...open.values()]
}

/** What the model is told of a call that nothing came back from. */
export function interruptedResult({ call, tool, started }: InFlight): ToolResultPart {
  const text = started
    ? 'Interrupted: this was running when the program ended. It may have done all, part or none of its work; look before you do it again.'
    : 'Interrupted: the program ended before this was started. Nothing was done.'
  return { type: 'tool-result', call, tool, outcome: 'interrupted', content: [{ type: 'text', text }] }
}

/**
 * Drops results that answer no call, or one that has its answer already, and puts those in their place that came
 * after something else was said: no provider takes either.
 */
export function paired(messages: readonly Message[]): Message[] {
  const placed: Message[] = []
  for (const message of answering(messages)) {
    if (message.role === 'tool') placed.splice(placeOf(message, placed), 0, message)
    else placed.push(message)
  }
  return placed
}

/** After the reply that called, and the results of it that are there. */
function placeOf(result: Message, before: readonly Message[]): number {
  const lastOther = before.findLastIndex(({ role }) => role !== 'tool')
  if (answers(result, before[lastOther])) return before.length
  const caller = before.findLastIndex(message => answers(result, message))
  const next = before.findIndex(({ role }, at) => at > caller && role !== 'tool')
  return caller < 0 || next < 0 ? before.length : next
}

function answers(result: Message, reply: Message | undefined): boolean {
  const calls = reply?.role === 'assistant' ? toolCallsOf(reply).map(({ call }) => call) : []
  return toolResultsOf(result).some(({ call }) => calls.includes(call))
}

function answering(messages: readonly Message[]): Message[] {
  const called = new Set<string>()
  return messages.flatMap(message => {
    for (const part of message.parts)
      if (part.type === 'tool-call' && message.role === 'assistant') called.add(part.call)
    const parts = message.parts.filter(part => part.type !== 'tool-result' || called.delete(part.call))
    if (parts.length === message.parts.length) return [message]
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })
}

function resultsIn(messages: readonly Message[]): ToolResultPart[] {
  return messages.flatMap(({ parts }) => parts.filter(part => part.type === 'tool-result'))
}
