import type { Node } from './tree.ts'

/** One word of a command, as far as it can be known before the command runs. */
export interface Word {
  /** What the shell makes of it; where that is not known, how it is written. */
  text: string
  /** Nothing in it depends on variables, other commands, or on which files there are. */
  literal: boolean
  /** A pattern of file names: it may stand for any number of words. */
  glob: boolean
}

export const literal = (text: string): Word => ({ text, literal: true, glob: false })
export const unknownWord = (text: string): Word => ({ text, literal: false, glob: false })

/** What a word may be made of. */
export const WORD_TYPES: ReadonlySet<string> = new Set([
  'word',
  'number',
  'raw_string',
  'string',
  'concatenation',
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'ansi_c_string',
  'translated_string',
  'brace_expression',
])

/** Reads a word that stands in a tree. `~/` at its beginning is `home`. */
export function readWord(node: Node, home: string): Word {
  const text = partText(node)
  if (text === undefined) return unknownWord(node.text)
  const bare = bareText(node)
  if (bare.includes('{') && /,|\.\./.test(bare)) return unknownWord(node.text)
  // What looks like an assignment is read like one, wherever it stands: `a=~/x` is below the home.
  if (/[=:]~/.test(bare)) return unknownWord(node.text)
  const written = node.text
  if (written.startsWith('~')) {
    if (written !== '~' && !written.startsWith('~/')) return unknownWord(written)
    return { text: home + text.slice(1), literal: !/[*?[]/.test(bare), glob: /[*?[]/.test(bare) }
  }
  if (!/[*?[]/.test(bare)) return literal(text)
  // Whatever files there are, it stays this option: `--include=*.ts`.
  if (/^--[a-z-]+=/.test(text)) return literal(text)
  return text.startsWith('-') ? unknownWord(written) : { text, literal: false, glob: true }
}

/** The text without quotes and escapes; undefined when any part of it is made at run time. */
function partText(node: Node): string | undefined {
  switch (node.type) {
    case 'word':
      return /[$`]/.test(node.text.replaceAll(/\\./gs, ''))
        ? undefined
        : node.text.replaceAll(/\\(.)/gs, '$1')
    case 'number':
      return node.namedChildCount === 0 && /^-?\d+$/.test(node.text) ? node.text : undefined
    case 'raw_string':
      return node.text.slice(1, -1)
    case 'string':
      return stringText(node)
    case 'concatenation': {
      const parts = children(node).map(partText)
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    default:
      return undefined
  }
}

function stringText(node: Node): string | undefined {
  if (!node.text.startsWith('"') || children(node).some(({ type }) => type !== 'string_content'))
    return undefined
  const inner = node.text.slice(1, -1)
  if (/[$`]/.test(inner.replaceAll(/\\./gs, ''))) return undefined
  return inner.replaceAll(/\\(["\\$`])/g, '$1')
}

/** Only what is not quoted: wildcards and braces mean something there alone. */
function bareText(node: Node): string {
  if (node.type === 'concatenation') return children(node).map(bareText).join('')
  if (node.type === 'word') return node.text.replaceAll(/\\./gs, '')
  return ''
}

export function children(node: Node): Node[] {
  return node.namedChildren.filter(child => child !== null)
}
