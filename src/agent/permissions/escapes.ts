/**
 * Words by which a command runs another program, or takes its orders from somewhere else: `git -c core.pager=…`,
 * `tar --to-command=…`. A rule for a command "and whatever follows" was not made for these; one that names them was.
 */
import { ownValue } from '../../store/index.ts'
import type { PlacedAct } from './request.ts'

interface Escapes {
  /** Names of options; shortened ones count too, where the command understands them. */
  long?: readonly string[]
  /** Letters, alone or among others. */
  short?: string
  /** Any other word. */
  word?: RegExp
  /** What comes after `--` is for something else. */
  own?: boolean
}

const words = (text: string) => text.split(' ')

const NODE_PACKAGES: Escapes = {
  long: words(
    'script-shell shell node-options prefix dir cwd userconfig globalconfig config git editor viewer browser call',
  ),
  short: 'C',
  own: true,
}
const SSH: Escapes = { short: 'oFSIJ', long: ['rsh'] }

const PIP: Escapes = { long: ['python'] }
const GRADLE: Escapes = {
  long: words('init-script build-file settings-file project-dir include-build'),
  short: 'Ibcp',
}

const ESCAPES: Readonly<Record<string, Escapes>> = {
  npm: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  bun: NODE_PACKAGES,
  make: { long: words('file makefile directory include-dir eval'), short: 'fCIE', word: /^[\w.]+\s*[:+?]?=/ },
  gmake: {
    long: words('file makefile directory include-dir eval'),
    short: 'fCIE',
    word: /^[\w.]+\s*[:+?]?=/,
  },
  cargo: { long: words('config manifest-path'), short: 'CZ', own: true },
  go: { word: /^--?(exec|toolexec|vettool|overlay|modfile|C)(=|$)/ },
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: { long: words('file settings global-settings toolchains'), word: /^-(f|s|gs|t|gt)|^-D?maven\.ext\./ },
  pip: PIP,
  pip3: PIP,
  uv: { long: words('python project directory config-file'), short: 'p' },
  poetry: { long: words('directory project'), short: 'CP' },
  tar: {
    long: words(
      'to-command use-compress-program checkpoint-action rsh-command info-script new-volume-script rmt-command',
    ),
    short: 'IF',
  },
  rsync: { long: words('rsh rsync-path'), short: 'e' },
  ssh: SSH,
  scp: SSH,
  sftp: SSH,
  sort: { long: ['compress-program'] },
  rg: { long: words('pre hostname-bin') },
  man: { long: words('pager html config-file'), short: 'PHC' },
  curl: { long: ['config'], short: 'K' },
  wget: { long: words('execute config use-askpass'), short: 'e' },
  zip: { long: words('unzip-command'), word: /^-TT/ },
  find: { word: /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/ },
  docker: { word: /^(exec|run|cp|create|compose|buildx|context|plugin)$/ },
  kubectl: { long: words('kubeconfig'), word: /^(exec|cp|debug|run|attach|plugin)$/ },
}

const GIT: Escapes = {
  long: words(
    'config config-env exec-path upload-pack receive-pack exec open-files-in-pager ext-diff textconv extcmd template ' +
      'sendmail-cmd to-cmd cc-cmd header-cmd separate-git-dir git-dir work-tree output',
  ),
  word: /^(ext::|fd::)|^(config|foreach|filter-branch|send-email|instaweb|daemon|credential|update-git-for-windows)$/,
}
/** Of these, a letter that elsewhere means something harmless. */
const GIT_LETTERS: Readonly<Record<string, string>> = {
  rebase: 'x',
  difftool: 'x',
  grep: 'O',
  clone: 'cu',
  fetch: 'u',
  pull: 'u',
  'ls-remote': 'u',
  bisect: '',
}
const HARMLESS_BEFORE: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--version'])

/** Whether a command says, after its first `from` words, that something else is to be run. */
export function escapesRule(all: PlacedAct['words'], from: number): boolean {
  const [first, ...rest] = all
  if (!first) return false
  const name = first.text.slice(first.text.lastIndexOf('/') + 1)
  const escapes = ownValue(ESCAPES, name)
  if (!escapes && name !== 'git') return false
  if (mayBecomeOption(all, from)) return true
  if (!escapes)
    return gitEscapes(
      rest.map(({ text }) => text),
      from - 1,
    )
  const texts = rest.map(({ text }) => text)
  const end = escapes.own ? texts.indexOf('--') : -1
  return texts
    .slice(from - 1, end < 0 ? undefined : Math.max(end, from - 1))
    .some(text => matches(escapes, text))
}

/**
 * Whether a word that is only known when it runs may be one of those. It is not where it is quoted, and follows an
 * option (`-m "$(cat notes)"`) or begins with something else.
 */
function mayBecomeOption(all: PlacedAct['words'], from: number): boolean {
  const end = all.findIndex(({ text }, at) => at >= from && text === '--')
  return all
    .slice(from, end < 0 ? undefined : end)
    .some(({ text, literal, glob, any, below, quoted }, at) => {
      if (literal) return false
      if (below) return true
      if (any) return any.some(each => each.split || /^[-*?[]/.test(each.text))
      if (glob) return /^[*?[]/.test(text)
      const before = all[from + at - 1]?.text ?? ''
      return !quoted || (/^"[-$`]/.test(text) && !/^-/.test(before))
    })
}

function gitEscapes(args: readonly string[], from: number): boolean {
  const at = args.findIndex(text => !text.startsWith('-'))
  const before = args.slice(0, at < 0 ? args.length : at)
  // What stands before the subcommand is for git itself: another repository, another configuration.
  if (before.some((text, index) => index >= from && !HARMLESS_BEFORE.has(text))) return true
  const subcommand = args[at] ?? ''
  const letters = ownValue(GIT_LETTERS, subcommand) ?? ''
  const run = subcommand === 'bisect' ? /^run$/ : undefined
  return args
    .slice(Math.max(from, 0))
    .some(text => matches({ ...GIT, short: letters }, text) || run?.test(text) === true)
}

function matches({ long = [], short = '', word }: Escapes, text: string): boolean {
  if (word?.test(text)) return true
  const [, name] = /^--([\w-]{2,})(?:=|$)/.exec(text) ?? []
  if (name !== undefined) return long.some(option => option.startsWith(name))
  const [, letters] = /^-(\w+)/.exec(text) ?? []
  return letters !== undefined && [...short].some(letter => letters.includes(letter))
}
