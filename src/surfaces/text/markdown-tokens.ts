/** Markdown read into its parts, for the terminal and for the page. */
import { lexer, type Token, type Tokens } from 'marked'

/** Nobody writes deeper than this; what does is no text, and whoever followed it would run out of stack. */
const DEEPEST = 40

/** What is nested beyond reason, as by a model that repeats itself without end, is a paragraph as it was written. */
export function markdownTokens(text: string): Token[] {
  const tokens = read(text)
  if (tokens) return tokens
  const parts = text.split(/(?<=\n[ \t]*\n)/)
  return parts.length > 1 ? parts.flatMap(markdownTokens) : [asWritten(text)]
}

function read(text: string): Token[] | undefined {
  try {
    const tokens = lexer(text, { gfm: true })
    return depthOf(tokens) > DEEPEST ? undefined : tokens
  } catch (error) {
    if (error instanceof RangeError) return undefined // the reader has no bound of its own
    throw error
  }
}

/** Level by level, because the depth is what is in question. */
function depthOf(tokens: readonly Token[]): number {
  let depth = 0
  for (let level = tokens; level.length > 0 && depth <= DEEPEST; depth++) level = level.flatMap(within)
  return depth
}

function within(token: Token): Token[] {
  return token.type === 'list' ? (token as Tokens.List).items : ((token as Tokens.Generic).tokens ?? [])
}

function asWritten(raw: string): Token {
  const text = raw.trimEnd()
  return { type: 'paragraph', raw, text, tokens: [{ type: 'escape', raw: text, text }] }
}
