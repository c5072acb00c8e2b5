/** Markdown that is still coming: what can no longer change is given out, the rest is a preview. */
import type { Token, Tokens } from 'marked'
import { markdownTokens } from '../text/markdown-tokens.ts'
import { type CodeState, highlightLine } from './highlight.ts'
import { blocksLines, CODE_INDENT, languageOf } from './markdown.ts'
import { type Line, lines, span } from './style.ts'
import { wrap } from './wrap.ts'

/** A block of code that is open: its lines are final as soon as they have ended. */
interface OpenCode {
  fence: string
  state: CodeState
}

export interface MarkdownStream {
  /** What came and was not given out yet. */
  readonly rest: string
  readonly code?: OpenCode
  /** Whether something was given out: an empty line comes before the next block. */
  readonly begun: boolean
  /** What was given out last was a part of a block that goes on. */
  readonly goesOn?: 'list' | 'paragraph' | undefined
}

export const NEW_STREAM: MarkdownStream = { rest: '', begun: false }

/** A paragraph longer than this is given out by lines; more than this is never looked at for a preview. */
const LONG_BLOCK = 8_000

export interface Streamed {
  stream: MarkdownStream
  /** Final, for the scrollback. */
  done: Line[]
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n`]*)\n/

export function feed(stream: MarkdownStream, text: string, width: number): Streamed {
  return settle({ ...stream, rest: stream.rest + text }, width, [])
}

/** Nothing more comes. */
export function finish(stream: MarkdownStream, width: number): Streamed {
  const { stream: settled, done } = feed(stream, stream.rest.endsWith('\n') ? '' : '\n', width)
  const rows = settled.code ? [] : spaced(settled, markdownTokens(settled.rest), width)
  return { stream: NEW_STREAM, done: [...done, ...rows] }
}

/** What there is beyond what was given out, as it would look if nothing more came. */
export function preview(stream: MarkdownStream, width: number): Line[] {
  const { rest, code } = stream
  if (code) return rest === '' ? [] : [codeLine(rest.slice(-LONG_BLOCK), code.state).row]
  if (rest.length > LONG_BLOCK) return lines(rest.slice(-LONG_BLOCK)).flatMap(row => wrap(row, width))
  return spaced(stream, markdownTokens(rest), width)
}

function settle(stream: MarkdownStream, width: number, before: readonly Line[]): Streamed {
  if (stream.code) {
    const { stream: next, done } = settleCode(stream, stream.code)
    const all = [...before, ...done]
    return next.code ? { stream: next, done: all } : settle(next, width, all)
  }
  // A line that has not ended may yet become anything.
  const ended = stream.rest.lastIndexOf('\n') + 1
  const blocks = markdownTokens(stream.rest.slice(0, ended))
  const unended = stream.rest.slice(ended)
  const last = blocks.findLastIndex(({ type }) => type !== 'space' && type !== 'def')
  const block = blocks[last]
  if (!block) return { stream, done: [...before] }
  const finished = blocks.slice(0, last)
  const done = [...before, ...spaced(stream, finished, width)]
  const grown = finished.some(isVisible)
  const own = {
    ...stream,
    begun: stream.begun || grown,
    goesOn: grown ? undefined : stream.goesOn,
    rest: `${rawOf(blocks.slice(last))}${unended}`,
  }
  const opened = FENCE.exec(own.rest)
  if (block.type === 'code' && opened) return openCode(own, opened, width, done)
  if (block.type === 'list') return settleItems(own, block as Tokens.List, width, done)
  if (block.type === 'paragraph' && block.raw.length > LONG_BLOCK)
    return {
      stream: { rest: unended, begun: true, goesOn: 'paragraph' },
      done: [...done, ...spaced(own, [block], width)],
    }
  if (!isOver(block, rawOf(blocks.slice(last)))) return { stream: own, done }
  return {
    stream: { rest: unended, begun: true },
    done: [...done, ...spaced(own, [block], width)],
  }
}

function openCode(
  stream: MarkdownStream,
  [header, fence = '', info = '']: RegExpExecArray,
  width: number,
  done: readonly Line[],
): Streamed {
  const code = { fence, state: { language: languageOf(info) } }
  const rest = stream.rest.slice(header.length)
  return settle({ rest, code, begun: true }, width, [...done, ...(stream.begun ? [[]] : [])])
}

/** All lines that have ended; with the one that closes the block, the block is over. */
function settleCode(stream: MarkdownStream, code: OpenCode): Streamed {
  const done: Line[] = []
  let { state } = code
  const closing = new RegExp(`^ {0,3}${code.fence[0]}{${code.fence.length},}\\s*$`)
  let at = 0
  for (let end = stream.rest.indexOf('\n'); end >= 0; end = stream.rest.indexOf('\n', at)) {
    const text = stream.rest.slice(at, end)
    at = end + 1
    if (closing.test(text)) return { stream: { rest: stream.rest.slice(at), begun: true }, done }
    const shown = codeLine(text, state)
    state = shown.state
    done.push(shown.row)
  }
  return { stream: { ...stream, rest: stream.rest.slice(at), code: { ...code, state } }, done }
}

function codeLine(text: string, state: CodeState) {
  const shown = highlightLine(text, state)
  return { ...shown, row: [span(CODE_INDENT), ...shown.row] }
}

/** All items but the last are final: nothing that comes can become a part of them. */
function settleItems(
  stream: MarkdownStream,
  list: Tokens.List,
  width: number,
  done: readonly Line[],
): Streamed {
  const items = list.items.slice(0, -1)
  if (items.length === 0) return { stream, done: [...done] }
  const length = items.reduce((sum, { raw }) => sum + raw.length, 0)
  const rows = spaced(stream, [{ ...list, items }], width)
  const rest = stream.rest.slice(length).replace(/^\n+/, '')
  return { stream: { rest, begun: true, goesOn: 'list' }, done: [...done, ...rows] }
}

function rawOf(blocks: readonly Token[]): string {
  return blocks.map(({ raw }) => raw).join('')
}

/** A paragraph ends with an empty line; what can go on after one is left open. */
function isOver({ type }: Token, raw: string): boolean {
  if (type === 'heading' || type === 'hr') return raw.endsWith('\n')
  return (type === 'paragraph' || type === 'table') && /\n[ \t]*\n$/.test(raw)
}

function isVisible({ type }: Token): boolean {
  return type !== 'space' && type !== 'def'
}

function spaced(
  { begun, goesOn }: Pick<MarkdownStream, 'begun' | 'goesOn'>,
  blocks: readonly Token[],
  width: number,
): Line[] {
  const shown = blocks.filter(isVisible)
  const rows = blocksLines(shown, width)
  if (rows.length === 0) return []
  return begun && shown[0]?.type !== goesOn ? [[], ...rows] : rows
}
