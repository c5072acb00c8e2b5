import type { Json } from '../../session/index.ts'

/** What says most about a call, in the order in which it is looked for. */
const TELLING = [
  'command',
  'question',
  'path',
  'file',
  'url',
  'query',
  'pattern',
  'name',
  'subject',
  'description',
  'id',
]
/** In one row: the tool and what it is about. */
export function callLabel(tool: string, input: Json): string {
  const text = telling(input) ?? (isEmpty(input) ? '' : JSON.stringify(input))
  return `${tool} ${text}`.replaceAll(/\s+/g, ' ').trim()
}

function telling(input: Json): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const fields = input as { readonly [key: string]: Json }
  for (const key of TELLING) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function isEmpty(input: Json): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0
}
