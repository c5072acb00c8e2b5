/**
 * Commands that only read, with the options for which that is so. A list of what is harmless and not of what is
 * dangerous: an option that is missing here costs a question, one too many costs files.
 */
import { ownValue } from '../../../store/index.ts'
import { type Known, reads, unknown, use } from './act.ts'
import { awkCommand } from './awk.ts'
import { type OptionTable, options, type ReadArguments, readOptions } from './options.ts'
import { plainSedScript } from './sed.ts'
import type { Word } from './word.ts'

type Meaning =
  /** Every operand is a file. */
  | 'files'
  /** Operands are text. */
  | 'text'
  /** There are none; where there could be, they change something (`hostname NAME`). */
  | 'nothing'
  /** One file at most; a second would be written. */
  | 'one file'
  | ((read: ReadArguments) => Known)

interface ReadOnlyCommand {
  table: OptionTable
  operands: Meaning
}

const command = (operands: Meaning, ...table: Parameters<typeof options>): ReadOnlyCommand => ({
  operands,
  table: options(...table),
})

const checksum = command('files', 'btz', '', 'tag zero binary text')
const none = command('nothing', '')

const COMMANDS: Readonly<Record<string, ReadOnlyCommand>> = {
  ls: command(
    listed,
    'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    '',
    'all almost-all author block-size= classify=? color=? directory full-time group-directories-first human-readable hide= ignore= inode indicator-style= literal no-group numeric-uid-gid quote-name recursive reverse size sort= time= time-style= width= zero si',
  ),
  cat: command(
    'files',
    'AbeEnstTuv',
    '',
    'show-all number-nonblank show-ends number squeeze-blank show-tabs',
  ),
  tac: command('files', 'br', 's', 'before regex separator='),
  head: command('files', 'qvz', 'nc', 'lines= bytes= quiet silent verbose', true),
  tail: command('files', 'qvzf', 'nc', 'lines= bytes= quiet silent verbose', true),
  wc: command('files', 'clmwL', '', 'bytes chars lines words max-line-length'),
  nl: command('files', 'p', 'bdfhilnsvw', ''),
  rev: command('files', ''),
  cut: command(
    'files',
    'nsz',
    'bcdf',
    'bytes= characters= delimiter= fields= complement only-delimited output-delimiter=',
  ),
  paste: command('files', 'sz', 'd', 'delimiters= serial'),
  tr: command('text', 'cCdst', '', 'complement delete squeeze-repeats truncate-set1'),
  uniq: command(
    'one file',
    'cdDuiz',
    'fsw',
    'count repeated unique ignore-case skip-fields= skip-chars= check-chars=',
  ),
  sort: command(
    'files',
    'bdfghiMnRrVcCmsuz',
    'kt',
    'numeric-sort reverse unique key= field-separator= ignore-case human-numeric-sort version-sort stable check=? merge',
  ),
  comm: command('files', '123z', '', 'output-delimiter= total check-order nocheck-order'),
  join: command('files', 'iz', 'aejotv12', 'header'),
  diff: command(
    compared,
    'abBcdeEinNpqstTuwyZ',
    'CUW',
    'brief unified=? context=? side-by-side width= ignore-case ignore-all-space ignore-space-change ignore-blank-lines color=? suppress-common-lines minimal text new-file report-identical-files',
  ),
  cmp: command('files', 'bls', 'n', 'print-bytes verbose quiet silent bytes='),
  file: command('files', 'bihLN', '', 'brief mime mime-type mime-encoding'),
  stat: command('files', 'Lft', 'c', 'dereference file-system format= printf= terse'),
  du: command(
    'files',
    'abchHkmsSx0',
    'dBt',
    'all apparent-size bytes total human-readable max-depth= summarize si exclude= separate-dirs',
  ),
  df: command('files', 'ahHiklPT', 'Btx', 'all human-readable inodes local portability print-type type='),
  tree: command('files', 'adfsphugDriNQCn', 'LIP', 'dirsfirst noreport prune filelimit= gitignore du si'),
  basename: command('text', 'az', 's', 'multiple suffix= zero'),
  dirname: command('text', 'z', '', 'zero'),
  realpath: command('files', 'emLPqsz', '', 'canonicalize-existing canonicalize-missing strip no-symlinks'),
  readlink: command(
    'files',
    'efmnqsvz',
    '',
    'canonicalize canonicalize-existing canonicalize-missing no-newline',
  ),
  pwd: command('nothing', 'LP'),
  true: command('text', ''),
  false: command('text', ''),
  ':': command('text', ''),
  seq: command('text', 'w', 'sf', 'separator= format= equal-width'),
  sleep: command('text', ''),
  date: command(dates, 'uR', 'd', 'utc universal rfc-email iso-8601=? rfc-3339= date='),
  whoami: none,
  id: command('text', 'gGnrua', '', 'group groups name real user'),
  groups: command('text', ''),
  hostname: command('nothing', 'fsiId', ''),
  uname: command(
    'nothing',
    'asnrvmpio',
    '',
    'all kernel-name nodename kernel-release kernel-version machine operating-system',
  ),
  uptime: command('nothing', 'ps', '', 'pretty since'),
  nproc: command('nothing', '', '', 'all'),
  arch: none,
  tty: command('nothing', 's', '', ''),
  which: command('text', 'a', '', 'all'),
  type: command('text', 'aftpP'),
  md5sum: checksum,
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  b2sum: checksum,
  cksum: command('files', ''),
  od: command('files', 'abcdfhilosvx', 'AjNt', 'address-radix= skip-bytes= read-bytes= format= width=?'),
  xxd: command('one file', 'bpu', 'cgls', ''),
  hexdump: command('files', 'bcCdovx', 'ns', ''),
  strings: command(withoutLists, 'a', 'nte', 'all bytes= radix='),
  column: command('files', 'tx', 'cosNR', 'table separator= output-separator='),
  fold: command('files', 'bs', 'w', 'bytes spaces width='),
  fmt: command('files', 'cstu', 'w', 'width='),
  expand: command('files', 'i', 't', 'tabs= initial'),
  unexpand: command('files', 'a', 't', 'all tabs= first-only'),
  grep: command(searched, 'abcEFGhHiIlLnoPqrsTvwxyz', 'ABCme', GREP_LONG(), true),
  egrep: command(searched, 'abchHiIlLnoqrsTvwxyz', 'ABCme', GREP_LONG(), true),
  fgrep: command(searched, 'abchHiIlLnoqrsTvwxyz', 'ABCme', GREP_LONG(), true),
  rg: command(
    searchedByDefault,
    'acFHhiIlnNopPqsSUvwx.',
    'ABCEegjmMrtT',
    'after-context= before-context= context= regexp= glob= iglob= max-count= max-columns= max-depth= type= type-not= color= colors= count count-matches files files-with-matches files-without-match fixed-strings heading no-heading hidden ignore-case smart-case case-sensitive invert-match json line-number no-line-number multiline no-messages only-matching pcre2 pretty quiet replace= sort= sortr= stats trim vimgrep with-filename no-filename word-regexp line-regexp no-config type-list',
  ),
  jq: command(
    queried,
    'acCeMnrRsSj',
    '',
    'ascii-output color-output compact-output exit-status indent= join-output monochrome-output null-input raw-input raw-output slurp sort-keys tab',
  ),
  sed: command(
    edited,
    'nErsuz',
    'e',
    'quiet silent regexp-extended expression= separate unbuffered null-data sandbox posix',
  ),
  echo: command('text', 'neE'),
  base64: command('files', 'di', 'w', 'decode ignore-garbage wrap='),
  yes: command('text', ''),
  exit: command('text', ''),
  break: command('text', ''),
  continue: command('text', ''),
  free: command('nothing', 'bkmghlt', '', 'bytes kilo mega giga human total'),
}

/** Both at once, it goes into directories through links. */
function listed({ operands, options }: ReadArguments): Known {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name))
  const through = has('R', 'recursive') && has('L')
  return through ? reads(operands.length > 0 ? operands : [HERE], 'no links') : reads(operands)
}

/** `@FILE` is a file of further arguments. */
function withoutLists({ operands }: ReadArguments): Known {
  return operands.some(({ text }) => text.startsWith('@'))
    ? unknown('strings takes arguments from a file')
    : reads(operands)
}

/** Of two directories it reads the files that both have, through links. */
function compared({ operands }: ReadArguments): Known {
  return reads(operands, 'no links')
}

function GREP_LONG(): string {
  return 'after-context= before-context= context= basic-regexp extended-regexp fixed-strings perl-regexp binary-files= byte-offset color=? colour=? count exclude= exclude-dir= include= files-with-matches files-without-match ignore-case initial-tab invert-match line-number line-regexp max-count= no-filename no-messages null null-data only-matching quiet recursive regexp= silent text with-filename word-regexp'
}

/** Undefined when no such command is in the table. */
export function readOnlyCommand(name: string, args: readonly Word[]): Known | undefined {
  if (name === 'echo') return echoed(args)
  if (name === 'printf') return printed(args)
  if (name === 'test') return tested(args)
  if (name === 'find') return undefined
  if (/^[gm]?awk$/.test(name)) return awkCommand(args)
  const found = ownValue(COMMANDS, name)
  if (!found) return undefined
  const own = name === 'jq' ? withoutGiven(args) : args
  const read = readsLikeOthers(name, own) ? readOptions(own, found.table) : undefined
  if (!read) return unknown(`\`${name}\` has arguments for which it is not known to only read`)
  const known = withOperands(name, read, found.operands)
  return { ...known, uses: [...known.uses, ...read.late.map(word => use('read', word))] }
}

/**
 * Some read their words in a way of their own. `xxd` takes of a word with several letters only the first (`-ps` is `-p`);
 * `tree` goes on after one with a value, which is the next word (`-Po PATTERN FILE` writes the file). And for `xxd`
 * and some kinds of `uniq` what comes after a file is the one to be written, dash or not.
 */
function readsLikeOthers(name: string, args: readonly Word[]): boolean {
  const own = { xxd: /^-[a-zA-Z]{2}/, tree: /^-[a-zA-Z]*(?:[IP].|L\D)/ }[name]
  if (own && args.some(({ text }) => own.test(text))) return false
  const isOption = ({ text }: Word) => text.startsWith('-') && text !== '-'
  const last = args.findLastIndex(isOption)
  return (
    COMMANDS[name]?.operands !== 'one file' ||
    args.slice(0, last).every(word => isOption(word) || /^\d+$/.test(word.text))
  )
}

function withOperands(name: string, read: ReadArguments, operands: Meaning): Known {
  if (typeof operands === 'function') return operands(read)
  if (operands === 'files') return reads(read.operands)
  if (operands === 'nothing')
    return read.operands.length === 0
      ? reads([])
      : unknown(`${name} with such an argument may change something`)
  if (operands === 'text') return noGlobs(read.operands)
  // A pattern can stand for two files.
  const one = read.operands.length <= 1 && read.operands.every(({ literal }) => literal)
  return one ? reads(read.operands) : unknown(`${name} writes its second file`)
}

/** A pattern of files tells which files there are: that is reading, of the directory. */
function noGlobs(words: readonly Word[]): Known {
  return { effect: 'read', uses: words.filter(({ glob }) => glob).map(word => use('read', word)) }
}

function echoed(args: readonly Word[]): Known {
  return args.every(isShown) ? shown(args) : unknown('echo prints something that is only known when it runs')
}

function isShown({ literal, glob, told }: Word): boolean {
  return literal || glob || told === true
}

/** Of what is printed, patterns tell which files there are; other values are what they are. */
function shown(words: readonly Word[]): Known {
  const patterns = words.map(word =>
    word.any ? { ...word, any: word.any.filter(({ glob }) => glob) } : word,
  )
  const telling = patterns.filter(({ glob, any }) => (any ? any.length > 0 : glob))
  return { effect: 'read', uses: telling.map(word => use('read', { ...word, glob: true })) }
}

/** `%n` puts a number into the variable that is named for it, which may be `PATH`. */
const SETS_VARIABLE = /%[^%a-zA-Z]*[hlLjqtz]*n/

/** `printf -v NAME` evaluates what stands in the brackets of the name. */
function printed(args: readonly Word[]): Known {
  const [format] = args
  if (!format?.literal || format.text.startsWith('-') || !args.every(isShown))
    return unknown('`printf` has arguments for which it is not known to only read')
  if (SETS_VARIABLE.test(format.text.replaceAll('%%', ''))) return unknown('printf would set a variable')
  return shown(args)
}

/** Those that only look at files or text: the ones for numbers and variables evaluate what they are given. */
export const TEST_OPERATORS: ReadonlySet<string> = new Set([
  ...['-e', '-f', '-d', '-L', '-h', '-r', '-w', '-x', '-s', '-b', '-c', '-p', '-S', '-g', '-u', '-k'],
  ...['-n', '-z', '-a', '-o', '-nt', '-ot', '-ef'],
])

function tested(args: readonly Word[]): Known {
  const sound = args.every(
    ({ literal, text }) =>
      literal && (!text.startsWith('-') || TEST_OPERATORS.has(text)) && !/[[(]/.test(text),
  )
  return sound ? reads([]) : unknown('test has arguments that may be evaluated')
}

/** `date 0101` sets the clock; only `+FORMAT` is a question. */
function dates({ operands, options }: ReadArguments): Known {
  // `TZ="FILE"` at the beginning of a date names a time zone, and so a file.
  if (options.some(({ value = '' }) => /TZ/.test(value))) return unknown('date may read a file')
  return operands.every(({ text, literal }) => literal && text.startsWith('+'))
    ? reads([])
    : unknown('date may set the clock')
}

function searched({ operands, options }: ReadArguments): Known {
  const given = options.some(({ name }) => name === 'e' || name === 'regexp')
  const files = given ? operands : operands.slice(1)
  if (!given && operands[0]?.glob)
    return unknown('a pattern of files stands where grep looks for its expression')
  const recursive = options.some(({ name }) => name === 'r' || name === 'recursive')
  if (!recursive) return reads(files)
  return reads(files.length > 0 ? files : [HERE], 'all')
}

/** It leaves out what begins with a dot, unless told otherwise, and does not follow links. */
function searchedByDefault({ operands, options }: ReadArguments): Known {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name))
  const given = has('e', 'regexp', 'files', 'type-list')
  const files = given ? operands : operands.slice(1)
  if (!given && operands[0]?.glob)
    return unknown('a pattern of files stands where rg looks for its expression')
  const places = files.length > 0 ? files : [HERE]
  if (has('hidden', '.')) return reads(places, 'all')
  // What a pattern of its own names, it reads though it is hidden.
  const named = options.flatMap(({ name, value = '' }) =>
    // `-g=PATTERN`: all signs of equality are passed over by some, none by others.
    /^(g|glob|iglob)$/.test(name) && !value.startsWith('!') ? [value, value.replace(/^=+/, '')] : [],
  )
  const known = reads(places, 'visible')
  return named.length === 0 ? known : { ...known, uses: known.uses.map(each => ({ ...each, named })) }
}

const HERE: Word = { text: '.', literal: true, glob: false }

/** Values that the filter is given: they take two words. */
function withoutGiven(args: readonly Word[]): Word[] {
  const at = args.findIndex(({ text }) => text === '--arg' || text === '--argjson')
  const given = args.slice(at, at + 3)
  if (at < 0 || given.length < 3 || !given.every(({ literal }) => literal)) return [...args]
  return [...args.slice(0, at), ...withoutGiven(args.slice(at + 3))]
}

/** A filter can read the environment and load modules. */
function queried({ operands, options }: ReadArguments): Known {
  const [filter, ...files] = operands
  const plain =
    filter?.literal &&
    !/\b(env|ENV|import|include|modulemeta|input_filename|debug|halt\w*)\b/.test(filter.text)
  if (!plain || options.some(({ name }) => name === 'args'))
    return unknown('the filter of jq may read more than files')
  return reads(files)
}

function edited({ operands, options }: ReadArguments): Known {
  const given = options.flatMap(({ name, value }) =>
    name === 'e' || name === 'expression' ? [value ?? ''] : [],
  )
  const [first, ...rest] = operands
  if (given.length === 0 && !first?.literal) return unknown('sed has no script that is known')
  const scripts = given.length > 0 ? given : [first?.text ?? '']
  if (!scripts.every(plainSedScript)) return unknown('the script of sed may write files or run commands')
  return reads(given.length > 0 ? operands : rest)
}
