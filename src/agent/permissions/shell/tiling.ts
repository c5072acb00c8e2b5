/**
 * Whether a tree is what the shell itself would read. A parser that is wrong about where a word or a quotation
 * ends hides commands; so every leaf has to be, on its own, what a shell would take it for, and nothing but
 * space may lie between them.
 */
import type { Node } from './tree.ts'

const WORD = /^(?:[^\s;&|<>()'"`$\\#]|\\[^\n]|(?<!^)#)+$/
const LEAVES: Readonly<Record<string, RegExp>> = {
  word: WORD,
  test_operator: /^-[a-zA-Z]+$/,
  number: /^-?\d+$/,
  raw_string: /^'[^']*'$/,
  string_content: /^(?:[^"\\`$]|\\[^\n]|\$(?=\s|$))*$/,
  ansi_c_string: /^\$'(?:[^'\\]|\\[^\n])*'$/,
  comment: /^#[^\n]*$/,
  variable_name: /^\w+$/,
  special_variable_name: /^[?#@*!$\-_0]$/,
  file_descriptor: /^\d+$/,
  extglob_pattern: WORD,
  heredoc_start: /^(\w+|'\w+'|"\w+")$/,
  heredoc_body: /^/,
  heredoc_content: /^/,
  heredoc_end: /^\w+$/,
}

const TOKENS: ReadonlySet<string> = new Set([
  ...[';', ';;', '&', '&&', '||', '|', '|&', '(', ')', '{', '}', '\n', '"', '$(', '`', '<(', '>(', '!', '='],
  ...['>', '>>', '<', '&>', '&>>', '<&', '>&', '>|', '<&-', '>&-', '<<', '<<-', '<<<', '$', '+=', '==', '!='],
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'in', 'do', 'done', 'while', 'until', 'case', 'esac'],
  ...[
    'select',
    'function',
    '[',
    ']',
    '[[',
    ']]',
    '${',
    'export',
    'declare',
    'local',
    'readonly',
    'typeset',
    'unset',
  ],
])

/** Undefined when the leaves are sound. */
export function tilingProblem(root: Node, source: string): string | undefined {
  let at = 0
  for (const leaf of leaves(root)) {
    const gap = source.slice(at, leaf.startIndex)
    if (leaf.startIndex < at || !/^(?:[ \t\n]|(?<=[ \t\n])\\\n(?=[ \t]))*$/.test(gap))
      return 'it cannot be read with certainty'
    const pattern = leaf.isNamed ? LEAVES[leaf.type] : undefined
    if (leaf.isNamed ? !pattern?.test(leaf.text) : !TOKENS.has(leaf.type) && leaf.text !== '')
      return `it contains something that is not judged (${leaf.text.slice(0, 20)})`
    if (leaf.type === 'comment' && gap === '' && at > 0 && !/[\s;&|()]/.test(source[at - 1] ?? ' '))
      return 'it cannot be read with certainty'
    at = leaf.endIndex
  }
  return /^[ \t\n]*$/.test(source.slice(at)) ? undefined : 'it cannot be read with certainty'
}

function* leaves(node: Node): Generator<Node> {
  // The text between the expansions of a here-document has no leaves of its own; it is checked as a whole.
  if (node.childCount === 0 || node.type === 'heredoc_body') {
    if (node.endIndex > node.startIndex) yield node
    return
  }
  for (const child of node.children) if (child) yield* leaves(child)
}

/**
 * Undefined when a here-document ends where a shell says that it ends. In one whose delimiter is not quoted,
 * backticks run commands that the tree does not show, and a backslash joins lines.
 */
export function heredocProblem(redirect: Node, source: string): string | undefined {
  const part = (type: string) => redirect.namedChildren.find(child => child?.type === type)
  const start = part('heredoc_start')
  const end = part('heredoc_end')
  if (!start || !end) return 'its here-document has no end'
  const quoted = /^['"]/.test(start.text)
  const delimiter = quoted ? start.text.slice(1, -1) : start.text
  const body = part('heredoc_body')?.text ?? ''
  if (!quoted && /[`\\]/.test(body)) return 'its here-document runs commands or joins lines'
  const tabs = redirect.children.some(child => child?.type === '<<-')
  const bare = (line: string) => (tabs ? line.replace(/^\t+/, '') : line)
  const lineStart = source.lastIndexOf('\n', end.startIndex - 1) + 1
  const lineEnd = source.indexOf('\n', end.startIndex)
  const last = source.slice(lineStart, lineEnd < 0 ? source.length : lineEnd)
  const lines = source.slice(source.indexOf('\n', start.endIndex) + 1, lineStart).split('\n')
  return bare(last) === delimiter && !lines.some(line => bare(line) === delimiter)
    ? undefined
    : 'its here-document does not end where it seems to'
}
