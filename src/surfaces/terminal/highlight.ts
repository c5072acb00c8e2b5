import { DIM, type Line, PLAIN, type Span, type Style, span } from './style.ts'

/** What goes on from one line of code to the next: a comment or a text of several lines. */
export interface CodeState {
  language: string
  /** What ends it. */
  until?: string
  style?: Style
}

const STRING: Style = { colour: 'green' }
const NUMBER: Style = { colour: 'cyan' }
const KEYWORD: Style = { colour: 'magenta' }
const [ADDED, REMOVED, PLACE]: Style[] = [{ colour: 'green' }, { colour: 'red' }, { colour: 'cyan' }]

const KEYWORDS = new Set(
  `abstract and as assert async await begin break case catch class const continue def default defer del delete do done
  elif else elseif end enum esac except export extends false fi final finally fn for foreach from func function global go
  goto if impl implements import in include instanceof interface is lambda let local loop match mod module mut namespace
  new nil none None not null of or package pass private protected pub public raise readonly require return select self
  static struct super switch then this throw throws trait true True False try type typeof undefined union unless until
  use using var virtual void when where while with yield SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN
  LEFT INNER ON GROUP BY ORDER LIMIT VALUES SET AND OR NOT NULL AS`.split(/\s+/),
)

const HASH_COMMENTS =
  /^(?:py|python|rb|ruby|sh|bash|zsh|shell|console|yaml|yml|toml|ini|conf|dockerfile|make|makefile|perl|pl|r|nix|elixir|ex|graphql)$/
const DASH_COMMENTS = /^(?:sql|lua|haskell|hs|elm|ada)$/
const PROSE = /^(?:|text|txt|plain|markdown|md|output|log)$/

export function highlightLine(code: string, state: CodeState): { row: Line; state: CodeState } {
  const { language } = state
  if (PROSE.test(language)) return { row: [span(code)], state }
  if (language === 'diff' || language === 'patch') return { row: [span(code, diffStyle(code))], state }
  return colourCode(code, state)
}

function diffStyle(code: string): Style {
  if (/^(?:\+\+\+|---) /.test(code)) return { bold: true }
  if (code.startsWith('@@')) return PLACE ?? PLAIN
  return (code.startsWith('+') ? ADDED : code.startsWith('-') ? REMOVED : undefined) ?? PLAIN
}

function colourCode(code: string, { language, until, style }: CodeState): { row: Line; state: CodeState } {
  const spans: Span[] = []
  let at = 0
  if (until !== undefined) {
    const end = code.indexOf(until)
    if (end < 0) return { row: [span(code, style)], state: { language, until, ...(style && { style }) } }
    at = end + until.length
    spans.push(span(code.slice(0, at), style))
  }
  const token = tokens(language)
  token.lastIndex = at
  for (let found = token.exec(code); found; found = token.exec(code)) {
    if (found.index > at) spans.push(span(code.slice(at, found.index)))
    const [text] = found
    const { comment, open, long, string, number, word } = found.groups ?? {}
    at = found.index + text.length
    const goesOn = open !== undefined ? '*/' : long
    if (goesOn !== undefined) {
      const end = code.indexOf(goesOn, at)
      const style = open !== undefined ? DIM : STRING
      if (end < 0) {
        spans.push(span(code.slice(found.index), style))
        return { row: spans, state: { language, until: goesOn, style } }
      }
      at = end + goesOn.length
      spans.push(span(code.slice(found.index, at), style))
      token.lastIndex = at
      continue
    }
    const style =
      comment !== undefined
        ? DIM
        : string !== undefined
          ? STRING
          : number !== undefined
            ? NUMBER
            : word !== undefined && KEYWORDS.has(word)
              ? KEYWORD
              : PLAIN
    spans.push(span(text, style))
  }
  if (at < code.length) spans.push(span(code.slice(at)))
  return { row: spans, state: { language } }
}

/** Comments, texts, numbers and words, in whichever of many languages: light, and never far off. */
function tokens(language: string): RegExp {
  const comment = HASH_COMMENTS.test(language)
    ? '(?<=^|\\s)#.*'
    : DASH_COMMENTS.test(language)
      ? '--.*'
      : '(?<=^|[^:])//.*'
  const open = HASH_COMMENTS.test(language) ? '(?!)' : '/\\*'
  return new RegExp(
    [
      `(?<comment>${comment})`,
      `(?<open>${open})`,
      '(?<long>"""|\'\'\')',
      '(?<string>"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`)',
      '(?<number>\\b\\d[\\w.]*\\b)',
      '(?<word>[A-Za-z_]\\w*)',
    ].join('|'),
    'gm',
  )
}
