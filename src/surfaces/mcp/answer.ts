import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** A value for programs that read structured output, and the same as text for those that do not. */
export function answer(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  }
}

/** Reverie's own files are all that its tools touch. */
const CLOSED_WORLD = { openWorldHint: false }
export const READS = { ...CLOSED_WORLD, readOnlyHint: true }
/** Adds or changes something, and what was there can be brought back. */
export const WRITES = { ...CLOSED_WORLD, readOnlyHint: false, destructiveHint: false }
export const REMOVES = { ...CLOSED_WORLD, readOnlyHint: false, destructiveHint: true }
