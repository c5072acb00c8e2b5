/** A conversation with the mind, and memory tools that keep to the real ones' contracts. */
import type { Message } from './conversation.ts'
import { type Call, nextStep } from './next-step.ts'

export interface FakeMemory {
  file: string
  type: string
  name: string
  description: string
  body: string
  ageDays?: number
  origin?: string
}

interface Options {
  memories?: FakeMemory[]
  sessions?: unknown[]
  /** Those that may be called; all of them unless told. */
  tools?: string[]
  /** Answers a call instead of the tools. */
  answer?: (call: Call) => Output | undefined
}

type Output = { type: string; value?: unknown; reason?: string }

export const ALL_TOOLS = ['memory_save', 'memory_search', 'memory_forget', 'session_search']
export const NOW = new Date('2026-04-07T10:00:00Z')
const MOST_STEPS = 10

export class Talk {
  readonly prompt: Message[] = []
  readonly memories: FakeMemory[]
  /** The calls of the last message, step by step. */
  steps: Call[][] = []
  readonly #options: Options

  constructor(options: Options = {}) {
    this.#options = options
    this.memories = options.memories ?? []
  }

  /** Says something and gives back the answer, with every call carried out in between. */
  say(words: string, ...attachments: string[]): string {
    const content = [words, ...attachments].map(text => ({ type: 'text', text }))
    this.prompt.push({ role: 'user', content })
    this.steps = []
    const tools = new Set(this.#options.tools ?? ALL_TOOLS)
    for (let step = 0; step < MOST_STEPS; step++) {
      const { text, calls } = nextStep(this.prompt, tools, NOW)
      this.prompt.push({
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...calls.map(({ id, name, input }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      })
      if (calls.length === 0) return text
      this.steps.push(calls)
      this.prompt.push({
        role: 'tool',
        content: calls.map(call => ({
          type: 'tool-result',
          toolCallId: call.id,
          toolName: call.name,
          output: this.#options.answer?.(call) ?? { type: 'text', value: JSON.stringify(this.#run(call)) },
        })),
      })
    }
    throw new Error('the mind did not come to an end')
  }

  #run({ name, input }: Call): unknown {
    if (name === 'memory_save') return this.#save(input as unknown as FakeMemory)
    if (name === 'memory_forget') return this.#forget(String(input.file))
    if (name === 'session_search') return this.#options.sessions ?? []
    return this.memories
      .filter(({ type }) => input.type === undefined || type === input.type)
      .map(memory => ({ note: noteOf(memory.ageDays ?? 0), ageDays: 0, origin: 'owner', ...memory }))
      .slice(0, Number(input.k ?? 10))
  }

  #save({ type, name, description, body }: FakeMemory): unknown {
    const same = this.memories.find(memory => memory.type === type && memory.name === name)
    const unchanged = same?.body === body && same.description === description
    if (same) Object.assign(same, { description, body })
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const file = same?.file ?? `${type}_${slug}.md`
    if (!same) this.memories.unshift({ file, type, name, description, body })
    return { file, created: !same, unchanged, scope: 'project', undo: 'j1' }
  }

  #forget(file: string): unknown {
    const at = this.memories.findIndex(memory => memory.file === file)
    if (at >= 0) this.memories.splice(at, 1)
    return { file, undo: 'j2' }
  }
}

function noteOf(days: number): string {
  return days === 0 ? 'saved today' : `saved ${days} days ago; a snapshot, verify before relying on it`
}
