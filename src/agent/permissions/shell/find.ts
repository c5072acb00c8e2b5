import { type Known, reads, unknown } from './act.ts'
import { unknownWord, type Word } from './word.ts'

const ALONE: ReadonlySet<string> = new Set(
  '! ( ) , -a -and -o -or -not -empty -print -print0 -prune -ls -depth -d -xdev -mount -quit -true -false -readable -writable -executable -daystart -nouser -nogroup'.split(
    ' ',
  ),
)
const VALUED: ReadonlySet<string> = new Set(
  '-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -regex -iregex -regextype -perm -user -group -uid -gid -links -inum -printf'.split(
    ' ',
  ),
)
const RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** `find` only lists, unless told to delete, to write, or to run something, which is then judged by itself. */
export function findCommand(args: readonly Word[]): Known {
  if (!args.every(({ literal, glob }) => literal || glob))
    return unknown('find has arguments that are only known when it runs')
  let at = 0
  while (args[at]?.text === '-P' || args[at]?.text === '-H') at++
  const paths: Word[] = []
  for (; at < args.length; at++) {
    const word = args[at]
    if (!word || /^[-(!]/.test(word.text)) break
    paths.push(word)
  }
  const inner: Word[][] = []
  let why: string | undefined
  for (; at < args.length; at++) {
    const { text = '', literal = false } = args[at] ?? {}
    if (literal && ALONE.has(text)) continue
    if (literal && VALUED.has(text) && args[at + 1]?.literal) {
      at++
    } else if (RUNS.has(text)) {
      const length = args.slice(at + 1).findIndex(word => word.text === ';' || word.text === '+')
      const run = length < 0 ? args.slice(at + 1) : args.slice(at + 1, at + 1 + length)
      inner.push(run.map(word => (word.text.includes('{}') ? foundWord(word, paths, args) : word)))
      if (text !== '-exec') why ??= `find ${text} runs commands elsewhere`
      if (length < 0) break
      at += length + 1
    } else why ??= `\`find ${text}\` is not known to only read`
  }
  return { ...(why ? unknown(why) : reads(paths)), ...(inner.length > 0 && { inner }) }
}

/** What it has found: `{}` alone stands for such a file, as part of a word for what cannot be followed. */
function foundWord({ text }: Word, paths: readonly Word[], args: readonly Word[]): Word {
  if (text !== '{}') return unknownWord(text)
  const names = nameFilter(args)
  const any = paths.flatMap(path => path.any ?? { text: path.text, glob: path.glob })
  return {
    ...unknownWord(text),
    glob: true,
    any: any.length > 0 ? any : [{ text: '.', glob: false }],
    below: { tree: 'no links', ...(names.length > 0 && { names }) },
  }
}

/** A pattern that all fits that is found: only where all conditions have to hold, and before anything is done. */
export function nameFilter(args: readonly Word[]): string[] {
  const texts = args.map(({ text }) => text)
  if (texts.some(text => /^(!|\(|,|-o|-or|-not)$/.test(text))) return []
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? ''
    if (RUNS.has(text) || text.startsWith('-print')) return []
    if (text === '-name' || text === '-iname') return texts.slice(at + 1, at + 2)
    if (VALUED.has(text)) at++
  }
  return []
}
