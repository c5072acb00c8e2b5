/** Which images models can look at, whoever brings one along: one that cannot be sent would fail every later request. */
import type { ImagePart } from './message.ts'

/** What every provider takes. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Characters in base64: what the strictest provider takes. */
export const LARGEST_IMAGE = 5 * 1024 * 1024

/** Why it cannot be sent; undefined where it can. */
export function imageTrouble({ mediaType, data }: ImagePart): 'type' | 'size' | 'data' | undefined {
  if (!IMAGE_TYPES.has(mediaType)) return 'type'
  if (data.length > LARGEST_IMAGE) return 'size'
  return isBase64(data) ? undefined : 'data'
}

/** Looked at from its end and one character at a time: a pattern for all of it runs out of stack with megabytes. */
function isBase64(text: string): boolean {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0
  const body = text.slice(0, text.length - padding)
  // One character of four says nothing, and padding fills up to four.
  const isWhole = body.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0)
  return body !== '' && isWhole && !/[^A-Za-z0-9+/]/.test(body)
}
