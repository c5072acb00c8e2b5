import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ReverieError } from '../../store/index.ts'

/** The words of a line; what stands in quotes is one. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [, double, single, bare] of text.matchAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.|["'])+)/g,
  ))
    words.push(double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare ?? '')
  return words
}

/** Options and other words of a line of a conversation, read like those of a command. */
export function readWords<T extends ParseArgsOptionsConfig>(text: string, options: T, usage: string) {
  try {
    return parseArgs({ args: wordsOf(text), options, allowPositionals: true, strict: true })
  } catch (error) {
    const [why = ''] = error instanceof Error ? error.message.split('. ') : []
    throw new ReverieError(`${why}. It is used like this: ${usage}`, { cause: error })
  }
}
