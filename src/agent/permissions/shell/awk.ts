import { type Known, reads, unknown } from './act.ts'
import type { Word } from './word.ts'

/** Runs commands, reads other files than its operands, or tells what is in the environment. */
const REACHES_OUT =
  /[|@`]|\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB)\b/

/** Only looks at what it reads, whatever it calculates. Texts and expressions count as if they were statements. */
function plainProgram(program: string): boolean {
  return !REACHES_OUT.test(program.replaceAll('||', '')) && !mayRedirect(program)
}

/** `>` compares, but for a statement that prints; where those end cannot be told when there are texts, too. */
function mayRedirect(program: string): boolean {
  if (!program.includes('>')) return false
  if (/["/#]/.test(program)) return true
  return program.split(/[;{}]/).some(part => part.includes('>') && part.includes('print'))
}

/** Options end with the program; what comes after it are files, whatever they are called. */
export function awkCommand(args: readonly Word[]): Known {
  const notKnown = unknown('awk has arguments for which it is not known to only read')
  let at = 0
  for (; args[at]?.text.startsWith('-'); at++) {
    const { literal = false, text = '' } = args[at] ?? {}
    if (!literal || !/^-[Fv]/.test(text)) return notKnown
    const value = text.length > 2 ? text.slice(2) : args[++at]
    const given = typeof value === 'string' ? value : value?.literal ? value.text : undefined
    if (given === undefined || (text.startsWith('-v') && !/^[a-z]\w*=/.test(given))) return notKnown
  }
  const [program, ...files] = args.slice(at)
  if (!program?.literal || !plainProgram(program.text))
    return unknown('the program of awk may write files or run commands')
  const sound = files.every(({ literal, glob, text }) => (literal || glob) && !/^-./.test(text))
  return sound ? reads(files) : notKnown
}
