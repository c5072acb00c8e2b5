/** Commands that change files, and nothing but the files that are their operands. */
import { type Known, type Use, unknown, use } from './act.ts'
import { options, type ReadArguments, readOptions } from './options.ts'
import { plainSedScript } from './sed.ts'
import { literal, type Word } from './word.ts'

const TABLES = {
  mkdir: options('pv', '', 'parents verbose'),
  touch: options('amc', '', 'no-create'),
  rm: options('fiv', '', 'force verbose'),
  rmdir: options('pv', '', 'parents verbose'),
  cp: options('fnpruvRi', '', 'force no-clobber recursive update verbose'),
  mv: options('fnuvi', '', 'force no-clobber update verbose'),
  tee: options('a', '', 'append'),
  sed: options('nEri', 'e', 'in-place quiet regexp-extended expression='),
}

/** Undefined when it is none of these. */
export function writingCommand(name: string, args: readonly Word[]): Known | undefined {
  if (!Object.hasOwn(TABLES, name)) return undefined
  if (name !== 'sed' && args.some(({ below }) => below))
    return unknown(`${name} changes files that are not named`)
  const read = readOptions(args, TABLES[name as keyof typeof TABLES])
  if (!read) return name === 'sed' ? undefined : unknown(`${name} has arguments that are not known`)
  // What follows the letter in the same word is the end of the name of another file.
  if (name === 'sed') return args.some(({ text }) => /^-[^-]*i./.test(text)) ? undefined : inPlace(read)
  const uses =
    name === 'cp' || name === 'mv'
      ? copied(name, read)
      : read.operands.map(word => ({ ...use('write', word), ...(name === 'rm' && { itself: true }) }))
  return uses
    ? { effect: 'write', uses, why: `${name} changes files` }
    : unknown(`${name} has no destination`)
}

/** What is copied or moved must hold no links: in another place a relative one leads elsewhere. */
function copied(name: string, { operands, options: given }: ReadArguments): Use[] | undefined {
  const to = operands.at(-1)
  const from = operands.slice(0, -1)
  if (!to?.literal || from.length === 0 || !from.every(word => word.literal)) return undefined
  const recursive = given.some(({ name: option }) => ['r', 'R', 'recursive'].includes(option))
  const whole = name === 'mv' || recursive ? 'no links' : undefined
  return [
    // The destination may be a directory that takes them in, or become what they are.
    ...from.map(word => ({
      ...use(name === 'mv' ? 'write' : 'read', word, whole),
      ...(whole && { itself: true }),
      lands: [to.text, `${to.text}/${lastName(word.text)}`],
    })),
    use('write', to, recursive ? 'no links' : undefined),
    // The destination may be a directory that has something of that name, and that may be a link.
    ...from.map(word => use('write', literal(`${to.text}/${lastName(word.text)}`))),
  ]
}

function lastName(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? ''
}

function inPlace({ operands, options: given }: ReadArguments): Known | undefined {
  if (!given.some(({ name }) => name === 'i' || name === 'in-place')) return undefined
  if (operands.some(({ below }) => below)) return unknown('sed changes files that are not named')
  const scripts = given.flatMap(({ name, value }) =>
    name === 'e' || name === 'expression' ? [value ?? ''] : [],
  )
  const files = scripts.length > 0 ? operands : operands.slice(1)
  const all = scripts.length > 0 ? scripts : [operands[0]?.literal ? operands[0].text : '']
  if (!all.every(plainSedScript)) return unknown('the script of sed may write files or run commands')
  return { effect: 'write', uses: files.map(word => use('write', word)), why: 'sed -i changes files' }
}
