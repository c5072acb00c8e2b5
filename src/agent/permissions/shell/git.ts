import { ownValue } from '../../../store/index.ts'
import { type Known, reads, unknown, use } from './act.ts'
import { type OptionTable, options, type ReadArguments, readOptions } from './options.ts'
import { literal, type Word } from './word.ts'

const COMMIT_LONG =
  'oneline decorate=? graph abbrev-commit all branches=? tags=? remotes=? since= until= after= before= author= committer= grep= max-count= skip= merges no-merges first-parent reverse date= format= pretty=? name-only name-status stat=? shortstat numstat summary patch no-patch unified=? follow topo-order date-order left-right cherry-pick no-color color=? word-diff=? no-ext-diff no-textconv minimal no-renames find-renames=? diff-filter= relative=? full-index ignore-all-space ignore-space-change ignore-blank-lines raw compact-summary no-decorate regexp-ignore-case all-match no-walk parents children'

const COMMIT: OptionTable = options('pqstuwbiEFcmzRaMUC', 'nSGL', COMMIT_LONG, true)
const DIFF: OptionTable = options(
  'puwbaRzMqU',
  'SG',
  `${COMMIT_LONG} cached staged merge-base exit-code quiet check`,
)

const SUBCOMMANDS: Readonly<Record<string, OptionTable>> = {
  status: options(
    'sbvzu',
    '',
    'short branch porcelain=? long show-stash untracked-files=? ignored=? column=? no-column ahead-behind no-renames',
  ),
  log: COMMIT,
  show: COMMIT,
  diff: DIFF,
  shortlog: options('nsecw', '', 'numbered summary email all no-merges since= until='),
  blame: options('bwelsntcfp', 'L', 'porcelain line-porcelain show-name show-number show-email date= root'),
  describe: options(
    '',
    '',
    'all tags long always abbrev=? match= exclude= contains dirty=? first-parent exact-match',
  ),
  'rev-parse': options(
    'q',
    '',
    'abbrev-ref=? short=? verify quiet show-toplevel is-inside-work-tree git-dir symbolic-full-name show-prefix show-cdup all branches tags is-bare-repository',
  ),
  'rev-list': options(
    '',
    'n',
    'count all max-count= since= until= no-merges merges left-right first-parent reverse',
    true,
  ),
  'ls-files': options(
    'cdmosutkzv',
    '',
    'cached deleted modified others ignored stage exclude-standard unmerged killed full-name error-unmatch deduplicate',
  ),
  'ls-tree': options('drtlz', '', 'name-only name-status full-name full-tree long abbrev=?'),
  'cat-file': options('tspe', ''),
  'merge-base': options('a', '', 'all is-ancestor octopus'),
  'name-rev': options('', '', 'tags name-only all always'),
  'for-each-ref': options('', '', 'count= sort= format= contains= merged= no-merged= points-at='),
  'count-objects': options('vH', '', 'verbose human-readable'),
  grep: options(
    'acEFGhHiIlLnopPqvwWz',
    'eABCm',
    'cached count files-with-matches files-without-match fixed-strings extended-regexp perl-regexp ignore-case invert-match line-number name-only only-matching show-function heading break max-depth= and or not all-match word-regexp no-color color=? quiet',
  ),
  branch: options(
    'arv',
    '',
    'all remotes list verbose show-current sort= format= contains=? merged=? no-merged=? no-color color=? points-at=',
  ),
  tag: options('ln', '', 'list sort= format= contains=? merged=? points-at= no-color column=?'),
  remote: options('v', '', 'verbose'),
  'show-ref': options('sdq', '', 'head tags heads hash=? verify dereference abbrev=? quiet branches'),
  'check-ignore': options('qvn', '', 'quiet verbose non-matching no-index'),
  version: options('', '', 'build-options'),
}

/** With an operand, these make or change something. */
const NO_OPERANDS: ReadonlySet<string> = new Set(['remote', 'version', 'count-objects'])
const LIST_ONLY: ReadonlySet<string> = new Set(['branch', 'tag'])
const BEFORE: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks'])
const STAGE: OptionTable = options('vAuN', '', 'verbose all update intent-to-add')

/** Signatures are checked by running another program. */
const RUNS_GPG = /%G|%\((signature|trust)/

export function gitCommand(args: readonly Word[]): Known {
  let at = 0
  while (args[at]?.literal && BEFORE.has(args[at]?.text ?? '')) at++
  const [subcommand, ...rest] = args.slice(at)
  if (!subcommand) return reads([])
  if (!subcommand.literal) return unknown('what git shall do is only known when it runs')
  if (subcommand.text === '--version')
    return rest.length === 0 ? reads([]) : unknown('git has more arguments')
  const name = subcommand.text
  if (name === 'add') return staged(rest)
  if (name === 'stash' || name === 'worktree' || name === 'reflog') return listed(name, rest)
  const table = ownValue(SUBCOMMANDS, name)
  if (!table) return unknown(`\`git ${name}\` is not known to only read`)
  const read = readOptions(rest.map(withoutKind), table)
  if (!read) return unknown(`\`git ${name}\` has arguments for which it is not known to only read`)
  if (read.options.some(({ value = '' }) => RUNS_GPG.test(value))) return unknown('git would run gpg')
  const { operands } = read
  const lists = read.options.some(({ name: option }) => option === 'l' || option === 'list')
  if (operands.length > 0 && (NO_OPERANDS.has(name) || (LIST_ONLY.has(name) && !lists)))
    return unknown(`git ${name} with a name may change something`)
  const ranges =
    name === 'log'
      ? read.options.flatMap(({ name: option, value }) => (option === 'L' ? fileOf(value) : []))
      : []
  const used = reads([...operands, ...ranges].flatMap(paths))
  // Whatever it is told to look at, all that is kept track of can be meant.
  if (name === 'grep') used.uses.push(use('read', literal('.'), 'tracked'))
  return { ...used, git: about(name, read) }
}

function about(name: string, { operands, options: given }: ReadArguments): NonNullable<Known['git']> {
  if (name === 'diff' && (operands.length === 2 || operands.some(({ glob }) => glob))) return 'compares'
  return name === 'remote' && given.length > 0 ? 'tells addresses' : true
}

/** `git status -uno` */
function withoutKind(word: Word): Word {
  return /^-u(no|normal|all)$/.test(word.text) ? literal('-u') : word
}

/** `-L 1,5:FILE` */
function fileOf(range = ''): Word[] {
  return [literal(range.slice(range.lastIndexOf(':') + 1))]
}

/** What could be the name of a commit could be that of a file, and `COMMIT:FILE` names one. */
function paths(word: Word): Word[] {
  if (word.any) return [{ ...word, any: word.any.flatMap(each => filesOf(each)) }]
  return filesOf(word)
}

function filesOf<T extends { text: string }>(named: T): T[] {
  const [, ...rest] = named.text.split(':')
  return [named, ...rest.map(text => ({ ...named, text: text === '' ? '.' : text.replace(/^\/+/, '') }))]
}

function listed(name: string, [what, ...rest]: Word[]): Known {
  if (name === 'reflog' && what === undefined) return { ...reads([]), git: true }
  const lists = what?.literal && what.text === (name === 'reflog' ? 'show' : 'list') && rest.length === 0
  return lists ? { ...reads([]), git: true } : unknown(`git ${name} may change something`)
}

function staged(args: readonly Word[]): Known {
  const read = readOptions(args, STAGE)
  if (!read) return unknown('git add has arguments that are not known')
  return {
    effect: 'write',
    uses: read.operands.map(word => use('read', word)),
    why: 'git add changes the index of the repository',
    git: 'adds',
  }
}
