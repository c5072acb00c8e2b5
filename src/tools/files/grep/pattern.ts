/**
 * Regular expressions that mean the same everywhere. A pattern is read into a tree, and each engine is given that
 * tree in its own language: what only one of them could do is refused for both.
 */
import { ownValue, ReverieError } from '../../../store/index.ts'

export class BadPattern extends ReverieError {}

export type Node =
  | { kind: 'char'; code: number }
  | { kind: 'any' }
  | { kind: 'set'; negated: boolean; items: readonly SetItem[] }
  | { kind: 'start' | 'end' | 'boundary' }
  | { kind: 'sequence' | 'choice'; nodes: readonly Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number; lazy: boolean }

export type SetItem =
  | { kind: 'range'; from: number; to: number }
  | { kind: 'class'; name: 'digit' | 'word' | 'space'; negated: boolean }
  | { kind: 'property'; name: string; script: boolean; negated: boolean }

export interface Pattern {
  root: Node
  caseInsensitive: boolean
  /** `.` means line ends, too. */
  dotAll: boolean
}

/** Engines have limits; these are below all of them. */
const MOST_REPEATED = 1_000
const LONGEST_PATTERN = 5_000
const DEEPEST = 50

const CATEGORIES = new Set(
  'L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Cc Cf'.split(' '),
)
const SCRIPTS = new Set(
  'Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Thai Georgian Hangul Hiragana Katakana Han'.split(
    ' ',
  ),
)

const POSIX: Readonly<Record<string, readonly SetItem[]>> = {
  alpha: [range('A', 'Z'), range('a', 'z')],
  digit: [range('0', '9')],
  alnum: [range('A', 'Z'), range('a', 'z'), range('0', '9')],
  upper: [range('A', 'Z')],
  lower: [range('a', 'z')],
  space: [range('\t', '\r'), range(' ', ' ')],
  blank: [range('\t', '\t'), range(' ', ' ')],
  punct: [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')],
  xdigit: [range('0', '9'), range('A', 'F'), range('a', 'f')],
  word: [range('A', 'Z'), range('a', 'z'), range('0', '9'), range('_', '_')],
}

function range(from: string, to: string): SetItem {
  return { kind: 'range', from: from.codePointAt(0) ?? 0, to: to.codePointAt(0) ?? 0 }
}

const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const CLASSES: Readonly<Record<string, 'digit' | 'word' | 'space'>> = { d: 'digit', w: 'word', s: 'space' }

export interface PatternOptions {
  caseInsensitive: boolean
  multiline: boolean
}

export function parsePattern(source: string, { caseInsensitive, multiline }: PatternOptions): Pattern {
  const reader = new PatternReader(source, multiline)
  const flags = reader.takeFlags()
  const root = reader.takeAll()
  return {
    root,
    caseInsensitive: caseInsensitive || flags.includes('i'),
    dotAll: multiline,
  }
}

class PatternReader {
  #source: string
  #characters: readonly string[]
  #at = 0
  #multiline: boolean
  #depth = 0

  constructor(source: string, multiline: boolean) {
    this.#source = source
    this.#characters = [...source]
    this.#multiline = multiline
    if (source === '') throw new BadPattern('The pattern is empty.')
    if (source.length > LONGEST_PATTERN) this.#refuse(`it is longer than ${LONGEST_PATTERN} characters`)
    if (!source.isWellFormed()) this.#refuse('it contains half of a character')
  }

  /** Letters of `(?i)` at the very beginning: flags for all of it. */
  takeFlags(): string {
    const [all, flags = ''] = /^\(\?([ims]+)\)/.exec(this.#source) ?? []
    if (!all) return ''
    if (flags.includes('s') && !this.#multiline) this.#refuse('(?s) needs multiline: true')
    this.#at = all.length
    return flags
  }

  takeAll(): Node {
    const node = this.#choice()
    if (this.#peek() === ')') this.#refuse('a ")" closes nothing; write \\) for the character')
    return node
  }

  #choice(): Node {
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    const [only] = nodes
    return nodes.length === 1 && only ? only : { kind: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      nodes.push(this.#repeated())
    return { kind: 'sequence', nodes }
  }

  #repeated(): Node {
    const node = this.#atom()
    const counts = this.#counts()
    if (!counts) return node
    if (node.kind === 'start' || node.kind === 'end' || node.kind === 'boundary')
      this.#refuse('^, $ and \\b cannot be repeated')
    const { min, max } = counts
    if (max < min) this.#refuse(`{${min},${max}} ends before it begins`)
    const lazy = this.#take('?')
    if (this.#counts()) this.#refuse('there are two repetitions in a row; put the first one into (?:…)')
    const repeated: Node = { kind: 'repeat', node, min, max, lazy }
    if (copies(repeated) > MOST_REPEATED)
      this.#refuse(`it repeats something more than ${MOST_REPEATED} times`)
    return repeated
  }

  #counts(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.#take('?')) return { min: 0, max: 1 }
    // Any other { is the character, as programs are full of it.
    const [all, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#rest(30)) ?? []
    if (all === undefined || least === undefined) return undefined
    this.#at += all.length
    const min = Number(least)
    return { min, max: comma ? (most ? Number(most) : Number.POSITIVE_INFINITY) : min }
  }

  #atom(): Node {
    const next = this.#next()
    switch (next) {
      case '.':
        return { kind: 'any' }
      case '^':
        return { kind: 'start' }
      case '$':
        return { kind: 'end' }
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        return this.#refuse(
          `there is nothing before "${next}" that it could repeat; write \\${next} for the character`,
        )
      default:
        return this.#character(next.codePointAt(0) ?? 0)
    }
  }

  #group(): Node {
    if (this.#take('?')) this.#groupKind()
    if (++this.#depth > DEEPEST) this.#refuse('groups are nested too deeply')
    const node = this.#choice()
    this.#depth--
    if (!this.#take(')')) this.#refuse('a "(" is not closed; write \\( for the character')
    return { kind: 'sequence', nodes: [node] }
  }

  #groupKind(): void {
    if (this.#take(':')) return
    const name = /^P?<([A-Za-z_]\w*)>/.exec(this.#rest(100))
    if (name) this.#at += name[0].length
    else if (/^<?[=!]/.test(this.#rest(2)))
      this.#refuse('looking ahead or behind, (?=…) (?!…) (?<=…) (?<!…), is not possible here')
    else
      this.#refuse(
        'of the groups that begin with "(?", only (?:…) and (?<name>…) are possible, and (?i) at the beginning',
      )
  }

  #escape(): Node {
    const next = this.#next('it ends with a single \\')
    if (next === 'b') return { kind: 'boundary' }
    const item = this.#classEscape(next)
    if (item) return { kind: 'set', negated: false, items: [item] }
    return this.#character(this.#codeEscape(next))
  }

  #classEscape(letter: string): SetItem | undefined {
    const name = CLASSES[letter.toLowerCase()]
    if (name) return { kind: 'class', name, negated: letter !== letter.toLowerCase() }
    if (letter !== 'p' && letter !== 'P') return undefined
    const [all, long, short] = /^(?:\{(?:(?:Script|sc|script)=)?(\w+)\}|(\w))/.exec(this.#rest(40)) ?? []
    const property = long ?? short ?? ''
    const script = SCRIPTS.has(property)
    if (all === undefined || !(script || CATEGORIES.has(property)))
      this.#refuse(
        `of \\p{…}, only general categories (${[...CATEGORIES].join(' ')}) and common scripts are possible`,
      )
    this.#at += all.length
    return { kind: 'property', name: property, script, negated: letter === 'P' }
  }

  #codeEscape(letter: string): number {
    const control = CONTROL[letter]
    if (control !== undefined) return control
    if (letter === 'x' || letter === 'u') {
      const form =
        letter === 'x'
          ? /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/
          : /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/
      const [all, long, short] = form.exec(this.#rest(8)) ?? []
      if (all === undefined)
        this.#refuse(`\\${letter} needs the number of a character, as in \\x41 or \\u{1F600}`)
      this.#at += all.length
      return Number.parseInt(long ?? short ?? '', 16)
    }
    if (/[1-9k]/.test(letter)) this.#refuse('it refers back to a group, which is not possible here')
    if (letter === '<' || letter === '>') this.#refuse('\\< and \\> are not possible here; use \\b')
    if (/[a-zA-Z0-9]/.test(letter)) this.#refuse(`\\${letter} means nothing here`)
    return letter.codePointAt(0) ?? 0
  }

  #set(): Node {
    const negated = this.#take('^')
    const items: SetItem[] = []
    for (let first = true; first || this.#peek() !== ']'; first = false) items.push(...this.#setItems())
    this.#at++
    return { kind: 'set', negated, items }
  }

  #setItems(): readonly SetItem[] {
    const [all, caret, name = ''] = /^\[:(\^?)(\w+):\]/.exec(this.#rest(20)) ?? []
    if (all !== undefined) {
      const posix = ownValue(POSIX, name)
      if (!posix || caret) this.#refuse(`${all} is not possible here`)
      this.#at += all.length
      return posix
    }
    const from = this.#setMember()
    if (typeof from !== 'number') return [from]
    if (this.#peek() !== '-' || this.#peek(1) === ']' || this.#peek(1) === undefined)
      return [{ kind: 'range', from, to: from }]
    this.#at++
    const to = this.#setMember()
    if (typeof to !== 'number') this.#refuse('a range in […] ends with a class; put the - first')
    if (to < from) this.#refuse('a range in […] ends before it begins')
    return [{ kind: 'range', from, to }]
  }

  #setMember(): number | SetItem {
    const next = this.#next('a "[" is not closed; write \\[ for the character')
    if (next === '[') this.#refuse('write \\[ for the character inside of […]')
    if (/[&~-]/.test(next) && this.#peek() === next)
      this.#refuse(`write \\${next}\\${next} for the characters inside of […]`)
    if (next !== '\\') return this.#allowed(next.codePointAt(0) ?? 0)
    const letter = this.#next('it ends with a single \\')
    if (letter === 'b') this.#refuse('\\b is not possible inside of […]')
    return this.#classEscape(letter) ?? this.#allowed(this.#codeEscape(letter))
  }

  #character(code: number): Node {
    return { kind: 'char', code: this.#allowed(code) }
  }

  #allowed(code: number): number {
    if (code === 10 && !this.#multiline) this.#refuse('it contains a line end, which needs multiline: true')
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      this.#refuse('it names a character that does not exist in text')
    return code
  }

  #peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead]
  }

  #next(problem = 'it ends too early'): string {
    return this.#characters[this.#at++] ?? this.#refuse(problem)
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }

  /** The next characters; only where what is looked for there is ASCII. */
  #rest(length: number): string {
    return this.#characters.slice(this.#at, this.#at + length).join('')
  }

  #refuse(problem: string): never {
    throw new BadPattern(`The pattern ${JSON.stringify(this.#source)} cannot be used: ${problem}.`)
  }
}

/** How often the innermost part is there when repetitions are written out. */
function copies(node: Node): number {
  switch (node.kind) {
    case 'repeat':
      return Math.max(node.min, Number.isFinite(node.max) ? node.max : 1, 1) * copies(node.node)
    case 'sequence':
    case 'choice':
      return Math.max(1, ...node.nodes.map(copies))
    default:
      return 1
  }
}
