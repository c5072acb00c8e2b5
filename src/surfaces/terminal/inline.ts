import type { Token, Tokens } from 'marked'
import { type Line, PLAIN, type Span, type Style, span } from './style.ts'

const CODE: Style = { colour: 'cyan' }
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text of a paragraph or a cell in its lines: where the author broke one it stays broken. */
export function inlineLines(tokens: readonly Token[] = [], style: Style = PLAIN): Line[] {
  const rows: Span[][] = [[]]
  for (const { text, style: own } of spansOf(tokens, style))
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) rows.push([])
      if (piece !== '') rows.at(-1)?.push(span(piece, own))
    }
  return rows
}

/** The same in one line. */
export function inlineSpans(tokens: readonly Token[] = [], style: Style = PLAIN): Line {
  return [...spansOf(tokens, style)].map(({ text, style }) => span(text.replaceAll('\n', ' '), style))
}

function* spansOf(tokens: readonly Token[], style: Style): Generator<Span> {
  for (const token of tokens)
    switch (token.type) {
      case 'strong':
        yield* spansOf(token.tokens ?? [], { ...style, bold: true })
        break
      case 'em':
        yield* spansOf(token.tokens ?? [], { ...style, italic: true })
        break
      case 'del':
        yield* spansOf(token.tokens ?? [], { ...style, strike: true })
        break
      case 'codespan':
        yield span(token.text, { ...style, ...CODE })
        break
      case 'checkbox': // stands in place of the bullet
        break
      case 'br':
        yield span('\n', style)
        break
      case 'link':
        yield* link(token as Tokens.Link, style)
        break
      case 'image':
        yield span(`[${token.text || 'image'}] (${token.href})`, style)
        break
      case 'text':
      case 'escape':
        if ('tokens' in token && token.tokens) yield* spansOf(token.tokens, style)
        else yield span(withoutEntities(token.text), style)
        break
      default:
        yield span(token.raw, style)
    }
}

/** Where it leads is always shown: the text of a link can say anything. */
function* link({ href, text, tokens }: Tokens.Link, style: Style): Generator<Span> {
  yield* spansOf(tokens, { ...style, underline: true })
  if (href !== text && href !== `mailto:${text}`) yield span(` (${href})`, { ...style, dim: true })
}

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|(\w{2,6}));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : fromCode(Number(code), whole),
  )
}

function fromCode(code: number, otherwise: string): string {
  return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
