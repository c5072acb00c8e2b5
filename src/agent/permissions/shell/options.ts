import type { Word } from './word.ts'

/** The options of a command that are known to be harmless. Any other makes the command one that is not known. */
export interface OptionTable {
  /** Letters that take no value. */
  flags: string
  /** Letters that take one. Of those that may also do without, the value is part of the word: they are flags here. */
  valued: string
  /** Names: `all`, `format=` with a value, `color=?` with or without. */
  long: ReadonlySet<string>
  /** `-20` counts lines. */
  numbers: boolean
}

export interface ReadArguments {
  operands: Word[]
  /** Options that were given, without dashes; with their value where they have one. */
  options: Array<{ name: string; value?: string }>
  /** Values of options that come after operands: where options end with the first operand, these are operands, too. */
  late: Word[]
}

export function options(flags: string, valued = '', long = '', numbers = false): OptionTable {
  return { flags, valued, long: new Set(long.split(' ').filter(Boolean)), numbers }
}

/** Undefined when an option is not in the table, or not known before the command runs. */
export function readOptions(args: readonly Word[], table: OptionTable): ReadArguments | undefined {
  const read: ReadArguments = { operands: [], options: [], late: [] }
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (!word || (!word.literal && !word.glob)) return undefined
    const { text } = word
    if (text === '--') {
      const rest = args.slice(at + 1)
      if (!rest.every(({ literal, glob }) => literal || glob)) return undefined
      read.operands.push(...rest)
      return read
    }
    if (!text.startsWith('-') || text === '-') {
      read.operands.push(word)
      continue
    }
    // A value is a word of its own that has to be known, too: a pattern of files could be several.
    const next = args[at + 1]?.literal ? args[at + 1]?.text : undefined
    const taken = text.startsWith('--')
      ? readLong(text, next, table, read)
      : readShort(text, next, table, read)
    if (taken === undefined) return undefined
    const value = args[at + 1]
    if (taken === 1 && value && read.operands.length > 0) read.late.push(value)
    at += taken
  }
  return read
}

/** How many of the words that follow belong to the option. */
type Taken = 0 | 1 | undefined

function readLong(text: string, next: string | undefined, { long }: OptionTable, read: ReadArguments): Taken {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text.slice(2) : text.slice(2, equals)
  if (equals >= 0) {
    if (!long.has(`${name}=`) && !long.has(`${name}=?`)) return undefined
    read.options.push({ name, value: text.slice(equals + 1) })
    return 0
  }
  if (long.has(name) || long.has(`${name}=?`)) {
    read.options.push({ name })
    return 0
  }
  if (!long.has(`${name}=`) || next === undefined) return undefined
  read.options.push({ name, value: next })
  return 1
}

function readShort(text: string, next: string | undefined, table: OptionTable, read: ReadArguments): Taken {
  if (table.numbers && /^-\d+$/.test(text)) return 0
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (table.flags.includes(letter)) {
      read.options.push({ name: letter })
      // `-C3`: digits belong to the letter before them, whatever it is.
      while (/\d/.test(text[at + 1] ?? '') && !table.flags.includes(text[at + 1] ?? '')) at++
      continue
    }
    if (!table.valued.includes(letter)) return undefined
    const rest = text.slice(at + 1)
    if (rest === '' && next === undefined) return undefined
    read.options.push({ name: letter, value: rest === '' ? (next ?? '') : rest })
    return rest === '' ? 1 : 0
  }
  return 0
}
