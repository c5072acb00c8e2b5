/** Looking into values that somebody else wrote: whatever they are, the answer is a value of the type, or none. */
import type { Json } from '../../session/index.ts'

export type Fields = { readonly [key: string]: unknown }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of its own: what every object inherits (`constructor`, `toString`) is not there. */
export function field(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function textIn(value: unknown, key: string): string | undefined {
  const found = field(value, key)
  return typeof found === 'string' ? found : undefined
}

export function fieldsIn(value: unknown, key: string): Fields {
  const found = field(value, key)
  return isFields(found) ? found : {}
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key)
  return Array.isArray(found) ? found : []
}

/** A number that counts something. */
export function countIn(value: unknown, key: string): number {
  const found = field(value, key)
  return Number.isSafeInteger(found) && Number(found) > 0 ? Number(found) : 0
}

const SECONDS_UNTIL = 100_000_000_000
const EARLIEST_MS = Date.parse('1990-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T00:00:00Z')

/** A moment, from text or from the seconds or milliseconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  const ms =
    typeof value === 'string'
      ? Date.parse(value)
      : typeof value === 'number'
        ? value * (value < SECONDS_UNTIL ? 1000 : 1)
        : Number.NaN
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms).toISOString() : undefined
}

/** Deeper than this nobody nests on purpose, and writing it as JSON again would overflow the stack. */
const DEEPEST = 64
const TOO_DEEP = '… (nested too deeply)'

/** The value as JSON that can be written again. */
export function plainJson(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object') return null
  if (depth === DEEPEST) return TOO_DEEP
  if (Array.isArray(value)) return value.map(item => plainJson(item, depth + 1))
  // Made from entries, so that a key such as __proto__ is a key and nothing more.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item, depth + 1)]))
}

/** JSON that stands in a text, or else the text itself. */
export function jsonIn(text: string): Json {
  try {
    return plainJson(JSON.parse(text))
  } catch {
    return text
  }
}
