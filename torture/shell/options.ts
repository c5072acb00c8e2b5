/** Commands that are known to only read, with options put together at random: each program reads them in its own way. */
import { oneOf } from '../random.ts'

const PROGRAMS = [
  ...[
    'ls',
    'cat',
    'tac',
    'head',
    'tail',
    'wc',
    'nl',
    'rev',
    'cut',
    'paste',
    'tr',
    'uniq',
    'sort',
    'comm',
    'join',
  ],
  ...[
    'diff',
    'cmp',
    'file',
    'stat',
    'du',
    'df',
    'tree',
    'basename',
    'dirname',
    'realpath',
    'readlink',
    'seq',
  ],
  ...[
    'date',
    'id',
    'uname',
    'which',
    'md5sum',
    'sha256sum',
    'cksum',
    'od',
    'xxd',
    'hexdump',
    'strings',
    'column',
  ],
  ...[
    'fold',
    'fmt',
    'expand',
    'unexpand',
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'jq',
    'sed',
    'echo',
    'printf',
    'find',
  ],
  ...['git log', 'git show', 'git diff', 'git status', 'git grep', 'git branch', 'git tag', 'git ls-files'],
  ...['git blame', 'git shortlog', 'git describe', 'git rev-parse', 'git for-each-ref', 'git stash list'],
  ...['awk', 'awk 1', 'base64', 'free', 'git remote', 'git show-ref', 'git check-ignore'],
]
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123']
const LONG = [
  ...[
    'context',
    'color',
    'lines',
    'bytes',
    'width',
    'format',
    'output',
    'include',
    'exclude',
    'regexp',
    'recursive',
  ],
  ...[
    'unified',
    'glob',
    'iglob',
    'hidden',
    'files',
    'type',
    'sort',
    'list',
    'contains',
    'max-count',
    'delimiter',
  ],
  ...[
    'expression',
    'in-place',
    'date',
    'indent',
    'stat',
    'pretty',
    'all',
    'reference',
    'time',
    'check',
    'pre',
  ],
]
const WORDS = [
  '3',
  'alpha',
  'CANARY',
  '.',
  'src',
  'src/a.ts',
  'src/b.txt',
  'README.md',
  'x',
  '1p',
  '%s',
  'HEAD',
  '-',
  '--',
]

export function withOptions(random: () => number): string {
  const words = [oneOf(random, PROGRAMS)]
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) words.push(wordAt(random))
  const command = words.join(' ')
  return GOES_ON.test(command) ? 'ls' : command
}

/** Waits for what is added to a file. */
const GOES_ON = /^tail.* -\w*[fF]/

function wordAt(random: () => number): string {
  const kind = random()
  if (kind < 0.5) return oneOf(random, WORDS)
  if (kind < 0.6) return `--${oneOf(random, LONG)}`
  if (kind < 0.7) return `--${oneOf(random, LONG)}=${oneOf(random, WORDS)}`
  const length = 1 + Math.floor(random() * 3)
  return `-${Array.from({ length }, () => oneOf(random, LETTERS)).join('')}`
}
