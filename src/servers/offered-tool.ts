/** A tool as a server offers it, made fit for models: its name, what it says of itself, its schema. */
import { createHash } from 'node:crypto'
import type { Tool as TheirTool } from '@modelcontextprotocol/sdk/types.js'
import { cutAt, harmless, inShort } from './words.ts'

export interface OfferedTool {
  server: string
  /** As the server calls it. */
  remote: string
  /** As a model calls it: `mcp__SERVER__TOOL`. */
  name: string
  /** What else it is called, for whoever searches. */
  hint: string
  description: string
  /** Of its arguments, in JSON Schema. */
  schema: JsonObject
  /** Every provider takes its schema; otherwise it is only told of as text. */
  fits: boolean
  /** What the server says: it changes nothing. */
  saysReadOnly: boolean
}

export type JsonObject = { readonly [key: string]: unknown }

/** Characters of a description (issue of every provider: it is sent with each request). */
const LONGEST_DESCRIPTION = 2_048
const LONGEST_HINT = 200
/** OpenAI and Google take no more. */
const LONGEST_NAME = 64
const HASH_CHARACTERS = 6
/** Of a schema, as JSON. */
const LONGEST_SCHEMA = 32_000
const LONGEST_INNER_DESCRIPTION = 1_024
const DEEPEST = 24
/** What Anthropic takes as the name of an argument; the others take more. */
const ARGUMENT = /^[\w.-]{1,64}$/

export function offered(server: string, tool: TheirTool): OfferedTool {
  const { name: remote, title, description = '', annotations = {}, inputSchema } = tool
  const schema = plainSchema(inputSchema)
  const isTooLarge = JSON.stringify(schema).length > LONGEST_SCHEMA
  const about = harmless(description).trim()
  const note = isTooLarge ? ' (The schema of its arguments is too large to be shown.)' : ''
  return {
    server,
    remote,
    name: toolName(server, remote),
    hint: inShort(title ?? annotations.title ?? '', LONGEST_HINT),
    description: `${cutAt(`[${server}] ${about}`, LONGEST_DESCRIPTION - note.length)}${note}`,
    schema: isTooLarge ? { type: 'object' } : schema,
    fits: isTooLarge || argumentNames(schema).every(name => ARGUMENT.test(name)),
    saysReadOnly: annotations.readOnlyHint ?? false,
  }
}

/** Letters that every provider takes. A name that had others, or was too long, keeps a hash of all of it. */
export function toolName(server: string, remote: string): string {
  const prefix = `mcp__${server}__`
  const plain = remote.replaceAll(/[^\w-]+/g, '_')
  const room = LONGEST_NAME - prefix.length
  if (plain === remote && plain !== '' && plain.length <= room) return `${prefix}${plain}`
  const hash = createHash('sha256').update(remote).digest('hex').slice(0, HASH_CHARACTERS)
  return `${prefix}${plain.slice(0, room - HASH_CHARACTERS - 1)}_${hash}`
}

/** At the top of what a tool takes, providers refuse anything but an object. */
const NOT_AT_THE_TOP = new Set([
  '$schema',
  '$id',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
])

function plainSchema(schema: unknown): JsonObject {
  const cleaned = clean(schema, 0)
  const object = typeof cleaned === 'object' && cleaned !== null && !Array.isArray(cleaned) ? cleaned : {}
  const kept = Object.entries(object).filter(([key]) => !NOT_AT_THE_TOP.has(key))
  return { ...Object.fromEntries(kept), type: 'object' }
}

/** References stay as they stand: nobody here follows them, so a circle is only text. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return harmless(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return {}
  if (Array.isArray(value)) return value.map(each => clean(each, depth + 1))
  const entries = Object.entries(value).flatMap(([key, inner]): Array<[string, unknown]> => {
    if (key === '$ref' && (typeof inner !== 'string' || !inner.startsWith('#'))) return []
    const cleaned = clean(inner, depth + 1)
    const isWords = key === 'description' && typeof cleaned === 'string'
    return [[harmless(key), isWords ? cutAt(cleaned, LONGEST_INNER_DESCRIPTION) : cleaned]]
  })
  return Object.fromEntries(entries)
}

function argumentNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Array.isArray(schema) ? {} : (schema as { properties?: unknown }).properties
  const names = typeof own === 'object' && own !== null ? Object.keys(own) : []
  return [...names, ...Object.values(schema).flatMap(argumentNames)]
}
