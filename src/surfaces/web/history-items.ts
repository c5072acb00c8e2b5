/** What was said before the page looked, from the messages of a session. */
import type { Message, ToolResultPart } from '../../session/index.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../../session/index.ts'
import type { EffectItem, Item, RecalledItem, ToolItem } from './thread.ts'

/** Characters of what a tool was called with and returned; all of it is in the session. */
const SHOWN_CHARACTERS = 4_000
const ABOUT_CHARACTERS = 120

export function itemsOf(messages: readonly Message[]): Item[] {
  const results = new Map(messages.flatMap(toolResultsOf).map(result => [result.call, result]))
  return messages.flatMap(message => itemsOfOne(message, results))
}

function itemsOfOne(message: Message, results: ReadonlyMap<string, ToolResultPart>): Item[] {
  const { id, role, origin, at } = message
  if (origin === 'memory') return recalledOf(message)
  if (role === 'user') {
    if (origin !== 'person' && origin !== 'schedule') return []
    return [{ kind: 'said', id, text: textOf(message), at, by: origin, waits: false }]
  }
  if (role !== 'assistant') return []
  const thinking = message.parts
    .filter(part => part.type === 'thinking')
    .map(({ text }) => text)
    .join('\n\n')
  const text = textOf(message)
  const reply: Item[] =
    text === '' && thinking === '' ? [] : [{ kind: 'reply', id, text, thinking, open: false }]
  const tools = toolCallsOf(message).flatMap(({ call, tool, input }) => {
    const result = results.get(call)
    const item = toolItem(call, tool, input)
    if (!result) return [{ ...item, outcome: 'interrupted' as const }]
    const text = shorten(
      result.content.map(part => (part.type === 'text' ? part.text : '[picture]')).join('\n'),
    )
    return [{ ...item, outcome: result.outcome, text }, ...effectOf(call, tool, input, result)]
  })
  return [...reply, ...tools]
}

export function toolItem(call: string, tool: string, input: unknown): ToolItem {
  const shown = shorten(JSON.stringify(input, null, 2) ?? '')
  return { kind: 'tool', id: call, tool, about: aboutOf(input), input: shown, progress: '', text: '' }
}

export function shorten(text: string, most = SHOWN_CHARACTERS): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

/** The one value that tells most: what stands first and is a text. */
function aboutOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  const telling = ['command', 'path', 'query', 'name', 'url', 'subject', 'question', 'pattern', 'description']
  const first = [...telling.map(key => fields[key]), ...Object.values(fields)].find(
    value => typeof value === 'string' && value !== '',
  )
  return shorten(String(first ?? '').replaceAll(/\s+/g, ' '), ABOUT_CHARACTERS)
}

function recalledOf({ id, parts }: Message): RecalledItem[] {
  const memories = parts.flatMap(part => {
    if (part.type !== 'attachment' || part.kind !== 'memory') return []
    try {
      return JSON.parse(part.text) as RecalledItem['memories']
    } catch {
      return [] // written by another version
    }
  })
  const told = memories.map(({ file, scope, name, type, note }) => ({ file, scope, name, type, note }))
  return told.length === 0 ? [] : [{ kind: 'recalled', id, memories: told }]
}

/** What a memory tool has done is told by what it returned. */
function effectOf(call: string, tool: string, input: unknown, result: ToolResultPart): EffectItem[] {
  if (result.outcome !== 'ok' || (tool !== 'memory_save' && tool !== 'memory_forget')) return []
  try {
    const [part] = result.content
    const told = JSON.parse(part?.type === 'text' ? part.text : '') as Record<string, unknown>
    const { file, created, unchanged, undo } = told
    if (unchanged === true || typeof file !== 'string') return []
    const name = (input as { name?: unknown } | null)?.name
    const what = tool === 'memory_forget' ? 'forgotten' : created === false ? 'updated' : 'remembered'
    return [
      {
        kind: 'effect',
        id: `${call}-effect`,
        what,
        name: typeof name === 'string' ? name : file,
        file,
        undo: typeof undo === 'string' ? undo : null,
        warnings: [],
      },
    ]
  } catch {
    return []
  }
}
