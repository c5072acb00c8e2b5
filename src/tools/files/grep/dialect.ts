/** A pattern in the languages of the two engines. */
import type { Node, Pattern, SetItem } from './pattern.ts'

interface Dialect {
  code(code: number): string
  any: string
  anyInLine: string
  start: string
  end: string
  boundary: string
  item(item: SetItem): string
  set(items: string, negated: boolean): string
}

/** A word is what Unicode's recommendation and ripgrep take for one. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'
/** Stand for bytes that are not UTF-8 (see `decodeUtf8`), which no pattern matches. */
const NOT_TEXT = '\\u{D800}-\\u{DFFF}'
const CLASSES = { digit: '\\p{Nd}', word: WORD, space: '\\p{White_Space}' }

const JAVASCRIPT: Dialect = {
  code: code => literal(code) ?? `\\u{${code.toString(16)}}`,
  any: `[^${NOT_TEXT}]`,
  anyInLine: `[^\\n\\r${NOT_TEXT}]`,
  // With the flag m, the language's own ^ and $ know more line ends than anybody else. Without it they are the ends
  // of the text. (Not `(?<![^\n])`: V8 takes the middle of a surrogate pair for a place where nothing stands before.)
  start: '(?<=^|\\n)',
  end: '(?:\\r??(?=\\n|$))',
  boundary: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  item(item) {
    if (item.kind === 'range') return rangeOf(this, item)
    const inner =
      item.kind === 'class' ? CLASSES[item.name] : `\\p{${item.script ? `Script=${item.name}` : item.name}}`
    return item.negated ? `[[^${inner}]--[${NOT_TEXT}]]` : inner
  },
  set: (items, negated) => (negated ? `[[^${items}]--[${NOT_TEXT}]]` : `[${items}]`),
}

const RUST_CLASSES = { digit: 'd', word: 'w', space: 's' }

const RUST: Dialect = {
  code: code => literal(code) ?? `\\x{${code.toString(16)}}`,
  any: '(?s:.)',
  anyInLine: '[^\\r\\n]',
  start: '(?m:^)',
  end: '(?m:\\r??$)',
  boundary: '\\b',
  item(item) {
    if (item.kind === 'range') return rangeOf(this, item)
    if (item.kind === 'class') {
      const letter = RUST_CLASSES[item.name]
      return `\\${item.negated ? letter.toUpperCase() : letter}`
    }
    return `\\${item.negated ? 'P' : 'p'}{${item.script ? `script=${item.name}` : item.name}}`
  },
  set: (items, negated) => `[${negated ? '^' : ''}${items}]`,
}

export interface JavaScriptPattern {
  source: string
  flags: string
}

export function toJavaScript({ root, caseInsensitive, dotAll }: Pattern): JavaScriptPattern {
  return { source: write(root, JAVASCRIPT, dotAll), flags: caseInsensitive ? 'giv' : 'gv' }
}

export function toRust({ root, caseInsensitive, dotAll }: Pattern): string {
  return (caseInsensitive ? '(?i)' : '') + write(root, RUST, dotAll)
}

function write(node: Node, dialect: Dialect, dotAll: boolean): string {
  const inner = (each: Node) => write(each, dialect, dotAll)
  switch (node.kind) {
    case 'char':
      return dialect.code(node.code)
    case 'any':
      return dotAll ? dialect.any : dialect.anyInLine
    case 'start':
    case 'end':
    case 'boundary':
      return dialect[node.kind]
    case 'set':
      return dialect.set(node.items.map(item => dialect.item(item)).join(''), node.negated)
    case 'sequence':
      return `(?:${node.nodes.map(inner).join('')})`
    case 'choice':
      return `(?:${node.nodes.map(inner).join('|')})`
    case 'repeat':
      return `(?:${inner(node.node)})${counts(node.min, node.max)}${node.lazy ? '?' : ''}`
  }
}

function counts(min: number, max: number): string {
  return `{${min},${Number.isFinite(max) ? max : ''}}`
}

function rangeOf(dialect: Dialect, { from, to }: { from: number; to: number }): string {
  return from === to ? dialect.code(from) : `${dialect.code(from)}-${dialect.code(to)}`
}

/** Letters and digits mean themselves in every language. */
function literal(code: number): string | undefined {
  const character = String.fromCodePoint(code)
  return /^[a-zA-Z0-9]$/.test(character) ? character : undefined
}
