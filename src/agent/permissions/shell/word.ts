import type { Node } from './tree.ts'

/** One word of a command, as far as it can be known before the command runs. */
export interface Word {
  /** What the shell makes of it; where that is not known, how it is written. */
  text: string
  /** Nothing in it depends on variables, other commands, or on which files there are. */
  literal: boolean
  /** A pattern of file names: it may stand for any number of words. */
  glob: boolean
  /** All of it stands between double quotes: whatever it becomes, it stays one word. */
  quoted?: true
  /** It holds variables, but none that may not be printed; with the names of files that are in `any`. */
  told?: true
  /** With `glob`: what it may stand for, instead of what `text` says. */
  any?: readonly Pattern[]
  /** It stands for files below these, which are not known one by one. */
  below?: Below
}

export interface Below {
  tree: 'no links' | 'tracked'
  /** They have such a name. */
  names?: readonly string[]
  /** Their names were text in between, which is split at spaces. */
  apart?: boolean
}

export interface Pattern {
  text: string
  /** Wildcards in it mean something. */
  glob: boolean
  /** The shell splits at spaces what it stands for, and looks for wildcards in it once more. */
  split?: true
}

/** What the variables of loops stand for. */
export type Loops = ReadonlyMap<string, readonly Pattern[]>

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
export function readWord(node: Node, home: string, loops: Loops): Word {
  if (node.type === 'process_substitution' && node.text.startsWith('<('))
    return { ...unknownWord(node.text), glob: true, any: [] }
  const any = alternatives(node.text) ?? loopValues(node, loops)
  const word = any ? { ...unknownWord(node.text), glob: true, any } : readPlain(node, home, loops)
  return node.type === 'string' ? { ...word, quoted: true } : word
}

const BRACES = /^([\w./-]*)\{([\w./*-]+(?:,[\w./*-]+)+)\}([\w./*-]*)$/

/** `src/{a,b}.ts` is several words, or, for shells that know no braces, one. An option it must not become. */
function alternatives(written: string): Pattern[] | undefined {
  const [, before = '', inner, behind = ''] = BRACES.exec(written) ?? []
  if (inner === undefined) return undefined
  const texts = [written, ...inner.split(',').map(part => before + part + behind)]
  return texts.map(text => ({ text, glob: text.includes('*') }))
}

/** `"src/$f"`, for each value of a loop. Outside of quotes a value is only known when nothing in it can be split. */
function loopValues(node: Node, loops: Loops): Pattern[] | undefined {
  const quoted = node.type === 'string'
  const parts = quoted || node.type === 'concatenation' ? children(node) : [node]
  // What lies between the parts of a quotation has no node of its own.
  if (quoted && node.text.length !== 2 + parts.reduce((sum, { text }) => sum + text.length, 0))
    return undefined
  let values: Pattern[] = [{ text: '', glob: false }]
  let varies = false
  for (const part of parts) {
    const name = /^simple_expansion$|^expansion$/.test(part.type)
      ? /^\$(?:(\w+)|\{(\w+)\})$/.exec(part.text)
      : undefined
    const found = name && loops.get(name[1] ?? name[2] ?? '')
    const text = name ? undefined : part.type === 'string_content' ? contentText(part.text) : partText(part)
    if (found) {
      // A pattern is only followed where nothing is added to what it finds.
      if (parts.length > 1 && found.some(({ glob }) => glob)) return undefined
      if (!quoted && found.some(value => !value.glob && /[\s*?[\\]/.test(value.text))) return undefined
      varies = true
      values = values.flatMap(({ text: start }) =>
        found.map(each => ({
          ...each,
          text: start + each.text,
          ...(!quoted && each.glob && { split: true as const }),
        })),
      )
    } else if (
      text === undefined ||
      /[*?[{]/.test(quoted ? '' : bareText(part)) ||
      (!quoted && /^~/.test(part.text))
    )
      return undefined
    else values = values.map(value => ({ ...value, text: value.text + text }))
  }
  return varies && values.length <= MOST_VALUES ? values : undefined
}

const MOST_VALUES = 100

function readPlain(node: Node, home: string, loops: Loops): Word {
  const text = partText(node)
  if (text === undefined) return toldWord(node, loops) ?? unknownWord(node.text)
  const bare = bareText(node)
  // Several options, each with a pattern of names: `--include=*.{ts,tsx}`.
  if (/^--(include|exclude|exclude-dir)=[\w.*-]*\{[\w.*,-]+\}$/.test(bare)) return literal(text)
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
  return contentText(node.text.slice(1, -1))
}

/** What stands between double quotes. */
function contentText(inner: string): string | undefined {
  if (/[$`]/.test(inner.replaceAll(/\\./gs, ''))) return undefined
  return inner.replaceAll(/\\(["\\$`])/g, '$1')
}

/** What tells of where and how a command runs; any other variable may hold a secret. */
const TOLD =
  /^(PWD|OLDPWD|HOME|USER|LOGNAME|PATH|SHELL|HOSTNAME|LANG|TERM|SHLVL|RANDOM|SECONDS|UID|EUID|PPID|BASH_VERSION|OSTYPE|HOSTTYPE|[?#$!])$/

function toldWord(node: Node, loops: Loops): Word | undefined {
  const any: Pattern[] = []
  const mayBeTold = (part: Node): boolean => {
    if (part.type === 'string' || part.type === 'concatenation') return children(part).every(mayBeTold)
    if (part.type === 'simple_expansion' || part.type === 'expansion') {
      const [, plain, braced] = /^\$(?:([\w?#$!]+)|\{(\w+)\})$/.exec(part.text) ?? []
      const name = plain ?? braced ?? ''
      any.push(...(loops.get(name) ?? []).filter(({ glob }) => glob))
      return TOLD.test(name) || loops.has(name)
    }
    if (part.type === 'string_content') return contentText(part.text) !== undefined
    return partText(part) !== undefined && !/[*?[{]/.test(bareText(part))
  }
  return mayBeTold(node) ? { ...unknownWord(node.text), told: true, any } : undefined
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
