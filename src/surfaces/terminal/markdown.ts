import type { Token, Tokens } from 'marked'
import { markdownTokens } from '../text/markdown-tokens.ts'
import { displayWidth } from '../text/width.ts'
import { highlightLine } from './highlight.ts'
import { inlineLines } from './inline.ts'
import { DIM, type Line, line, lines, PLAIN, type Style, span } from './style.ts'
import { tableLines } from './table-lines.ts'
import { hang, wrap } from './wrap.ts'

const HEADINGS: readonly Style[] = [
  { bold: true, underline: true },
  { bold: true },
  { bold: true, dim: true },
]
export const CODE_INDENT = '  '
const RULE_AT_MOST = 40
/** What is nested deeper than this stands as it was written. */
const DEEPEST = 8

/** Markdown in lines of a width. Code is not broken: whoever copies it gets it as it was. */
export function markdownLines(markdown: string, width: number): Line[] {
  return blocksLines(markdownTokens(markdown), width)
}

/** Blocks with an empty line between two. */
export function blocksLines(blocks: readonly Token[], width: number, depth = 0): Line[] {
  const rows: Line[] = []
  for (const block of blocks) {
    const own = blockLines(block, width, depth)
    if (own.length === 0) continue
    if (rows.length > 0) rows.push([])
    rows.push(...own)
  }
  return rows
}

function blockLines(block: Token, width: number, depth = 0): Line[] {
  if (depth > DEEPEST) return lines(block.raw.trimEnd())
  switch (block.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return wrapped(inlineLines(block.tokens, HEADINGS[block.depth - 1] ?? HEADINGS[2]), width)
    case 'code':
      return codeLines(block as Tokens.Code)
    case 'list':
      return listLines(block as Tokens.List, width, depth)
    case 'blockquote': {
      const bar = span('│ ', DIM)
      return hang(blocksLines(block.tokens ?? [], Math.max(1, width - 2), depth + 1), bar, bar)
    }
    case 'table':
      return tableLines(block as Tokens.Table, width)
    case 'hr':
      return [line('─'.repeat(Math.min(width, RULE_AT_MOST)), DIM)]
    case 'html':
      return lines(block.raw.trimEnd(), DIM)
    default:
      return 'tokens' in block && block.tokens
        ? wrapped(inlineLines(block.tokens), width)
        : wrapped(lines(block.raw.trimEnd()), width)
  }
}

function wrapped(rows: readonly Line[], width: number): Line[] {
  return rows.flatMap(row => wrap(row, width))
}

function codeLines({ text, lang = '' }: Tokens.Code): Line[] {
  let state = { language: languageOf(lang) }
  return text.split('\n').map(code => {
    const shown = highlightLine(code, state)
    state = shown.state
    return [span(CODE_INDENT), ...shown.row]
  })
}

export function languageOf(info: string): string {
  return (/^[\w+#-]*/.exec(info.trim())?.[0] ?? '').toLowerCase()
}

function listLines({ ordered, start, items }: Tokens.List, width: number, depth: number): Line[] {
  const last = Number(start) + items.length - 1
  return items.flatMap((item, at) => {
    const bullet = ordered ? `${String(Number(start) + at).padStart(String(last).length)}. ` : '• '
    return itemLines(item, bullet, width, depth)
  })
}

function itemLines({ task, checked, tokens }: Tokens.ListItem, bullet: string, width: number, depth: number) {
  const mark = task ? `${checked ? '☑' : '☐'} ` : bullet
  const indent = displayWidth(mark)
  const inner = tokens.filter(({ type }) => type !== 'checkbox')
  // The parts of an item stand close together: what is between them is indentation, not empty lines.
  const rows = inner.flatMap(token => blockLines(token, Math.max(1, width - indent), depth + 1))
  return hang(rows.length === 0 ? [[]] : rows, span(mark, PLAIN), span(' '.repeat(indent)))
}
