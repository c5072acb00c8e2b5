/** Commands that tell the names of files, for another that is given them: `git ls-files | xargs wc -l`. */
import type { Use } from './act.ts'
import { describe } from './describe.ts'
import { nameFilter } from './find.ts'
import { type Pattern, unknownWord, type Word } from './word.ts'

/** What the names are that a command prints; undefined when it may print anything else. */
export function producedBy(words: readonly Word[], input?: Word): Word | undefined {
  const [first, ...args] = words
  if (!first?.literal || !words.every(({ literal, glob }) => literal || glob)) return undefined
  const texts = args.map(({ text }) => text)
  if (input && passesOn(first.text, texts)) return input
  if (describe(words).effect !== 'read') return undefined
  if (first.text === 'find') return foundBy(words, args)
  if (first.text === 'git') return trackedBy(texts)
  if (first.text === 'grep' || first.text === 'rg') return searchedBy(words, first.text, texts)
  return undefined
}

/** Some of the lines of its input, each as it was. */
function passesOn(name: string, texts: readonly string[]): boolean {
  const said = texts.join(' ')
  if (name === 'head' || name === 'tail') return /^(-n ?)?-?\d*$/.test(said)
  if (name === 'sort' || name === 'uniq') return /^(-[urn]+)?$/.test(said)
  const [pattern, ...more] = texts.filter(text => !/^-[vEiFw]+$/.test(text))
  return name === 'grep' && pattern !== undefined && !pattern.startsWith('-') && more.length === 0
}

function foundBy(words: readonly Word[], args: readonly Word[]): Word | undefined {
  if (args.some(({ text }) => /^-(printf|ls|exec)/.test(text))) return undefined
  const names = nameFilter(args)
  return below(placesOf(describe(words).uses), 'no links', names)
}

/** `git ls-files '*.ts'` */
function trackedBy([subcommand, ...what]: readonly string[]): Word | undefined {
  if (subcommand !== 'ls-files' || what.some(text => text.startsWith('-'))) return undefined
  const endings = what.filter(text => /^\*\.\w+$/.test(text))
  return below([{ text: '.', glob: false }], 'tracked', endings.length === what.length ? endings : [])
}

const LISTS: Readonly<Record<string, RegExp>> = {
  grep: /^(-[rlisSwFEIe]+|--include=.*|--exclude(-dir)?=.*|--files-with-matches)$/,
  rg: /^(-[lisSwFegt]+|--files|--files-with-matches|--glob=.*|--type=.*)$/,
}

function searchedBy(words: readonly Word[], name: string, texts: readonly string[]): Word | undefined {
  const options = texts.filter(text => text.startsWith('-'))
  const lists = options.some(text => /^(-\w*l\w*|--files|--files-with-matches)$/.test(text))
  if (!lists || !options.every(text => LISTS[name]?.test(text))) return undefined
  return below(placesOf(describe(words).uses), 'no links', [])
}

function placesOf(uses: readonly Use[]): Pattern[] {
  const places = uses.flatMap(({ path, glob, any }) => any ?? [{ text: path, glob }])
  return places.length > 0 ? places : [{ text: '.', glob: false }]
}

function below(any: readonly Pattern[], tree: 'no links' | 'tracked', names: readonly string[]): Word {
  return {
    ...unknownWord('…'),
    glob: true,
    any,
    below: { tree, apart: true, ...(names.length > 0 && { names }) },
  }
}
