/** What is known of one simple command from its words. */
import { ownValue } from '../../../store/index.ts'
import { type Known, reads, unknown } from './act.ts'
import { findCommand } from './find.ts'
import { gitCommand } from './git.ts'
import { type OptionTable, options, readOptions } from './options.ts'
import { readOnlyCommand } from './read-only.ts'
import { unknownWord, type Word } from './word.ts'
import { writingCommand } from './writers.ts'

/** The directories whose commands are the same as those without a directory. */
const SYSTEM_COMMAND = /^\/(?:usr\/)?bin\/([^/]+)$/

/** `ls` and `/usr/bin/ls`; not `./ls`, which may be anything. */
export function commandName({ text }: Word): string {
  return SYSTEM_COMMAND.exec(text)?.[1] ?? text
}

/** `input`: the names of files that it is given as its input. */
export function describe(words: readonly Word[], input?: Word): Known {
  const [first, ...args] = words
  if (!first?.literal) return unknown('the name of a command is only known when it runs')
  const name = commandName(first)
  if (!/^[\x21-\x7e]+$/.test(name)) return unknown('the name of a command is not plain')
  return (
    ownValue(WRAPPERS, name)?.(args, input) ??
    (name === 'cd' ? changed(args) : undefined) ??
    (name === 'set' ? strict(args) : undefined) ??
    (name === 'git' ? gitCommand(args) : undefined) ??
    (name === 'find' ? findCommand(args) : undefined) ??
    writingCommand(name, args) ??
    readOnlyCommand(name, args) ??
    unknown(`\`${name}\` is not known to only read`)
  )
}

/** `cd` alone goes home, `cd -` back, and both cannot be followed. */
function changed(args: readonly Word[]): Known {
  const [to] = args
  if (args.length !== 1 || !to?.literal || to.text.startsWith('-') || to.text === '')
    return unknown('where cd leads is only known when it runs')
  return { ...reads([to]), cd: to.text }
}

/** `set -euo pipefail`: when the shell gives up, and what it tells of itself. */
function strict(args: readonly Word[]): Known {
  const said = args.every(({ literal }) => literal) ? args.map(({ text }) => text).join(' ') : ''
  return /^([-+][eux]+ ?|[-+][eux]*o (errexit|nounset|pipefail|xtrace) ?)+$/.test(said)
    ? reads([])
    : unknown('set may change what commands do')
}

/** A wrapper runs the command that its arguments are. */
const through = (inner: readonly Word[]): Known =>
  inner.length > 0 ? { ...reads([]), inner: [[...inner]], transparent: true } : unknown('it runs nothing')

/** Runs another command and does something of its own as well. */
const besides = (why: string, inner: readonly Word[]): Known => ({
  ...unknown(why),
  ...(inner.length > 0 && { inner: [[...inner]] }),
})

type Wrapper = (args: readonly Word[], input?: Word) => Known

/** Options, then as many operands as `before`, then the command. */
function after(table: OptionTable, before = 0): Wrapper {
  return args => {
    const start = commandAt(args, table)
    if (start === undefined) return besides('it has arguments that are not known', afterOptions(args))
    const own = args.slice(start, start + before)
    return own.every(({ literal }) => literal)
      ? through(args.slice(start + before))
      : unknown('it is not known')
  }
}

/** Where the options end. They have to be read one by one: those of the command that follows are not theirs. */
function commandAt(args: readonly Word[], table: OptionTable): number | undefined {
  let at = 0
  while (at < args.length) {
    const word = args[at]
    if (!word?.literal || !word.text.startsWith('-')) return at
    if (word.text === '--') return at + 1
    const alone = readOptions([word], table)
    if (alone) at += 1
    else if (args[at + 1] && readOptions(args.slice(at, at + 2), table)?.operands.length === 0) at += 2
    else return undefined
  }
  return at
}

/** A guess, for rules that deny: what comes after the options that cannot be read. */
function afterOptions(args: readonly Word[]): Word[] {
  const at = args.findIndex(({ text }) => !text.startsWith('-') && !text.includes('='))
  return at < 0 ? [] : args.slice(at)
}

const own =
  (why: string): Wrapper =>
  args =>
    besides(why, afterOptions(args))

const SHELL_OPTIONS = /^-[eux]*c$/

/** `bash -c SCRIPT`: the script is read like the command that it stands in. */
function shell(args: readonly Word[]): Known {
  let at = 0
  while (args[at]?.literal && /^-[eux]+$/.test(args[at]?.text ?? '')) at++
  const [option, script] = args.slice(at)
  if (!option?.literal || !SHELL_OPTIONS.test(option.text) || !script?.literal)
    return unknown('it runs a script that is not part of the command')
  return { ...reads([]), scripts: [script.text], transparent: true }
}

function evaluated(args: readonly Word[]): Known {
  if (!args.every(({ literal }) => literal)) return unknown('eval runs what is only known then')
  return { ...reads([]), scripts: [args.map(({ text }) => text).join(' ')], transparent: true }
}

/**
 * Variables that change nothing but how things look, with a value that names no file: translations and time zones
 * can be read from anywhere. Any other may change what a command does.
 */
export function isHarmlessVariable(name: string, value: string): boolean {
  if (name === 'TZ') return /^[\w+-]*(\/[\w+-]+)*$/.test(value) && !value.startsWith('/')
  return HARMLESS_VARIABLE.test(name) && /^[\w.,@+:-]*$/.test(value)
}

const HARMLESS_VARIABLE =
  /^(LANG|LC_[A-Z]+|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|NODE_ENV|DEBUG|TERM)$/

function withEnvironment(args: readonly Word[]): Known {
  let at = 0
  let why: string | undefined
  for (; at < args.length; at++) {
    const { text = '', literal = false } = args[at] ?? {}
    const [, variable] = /^([^=]+)=/.exec(text) ?? []
    if (variable !== undefined) {
      if (!literal || !isHarmlessVariable(variable, text.slice(variable.length + 1)))
        why ??= `it sets ${variable}`
    } else if (text === '-u' && args[at + 1]?.literal) {
      const unset = args[++at]?.text ?? ''
      if (!isHarmlessVariable(unset, '')) why ??= `it takes ${unset} away`
    } else if (text === '-i' || text === '-') why ??= 'it empties the environment'
    else if (text.startsWith('-')) why ??= `env ${text} is not known`
    else break
  }
  const inner = args.slice(at)
  if (inner.length === 0) return unknown('env tells the environment, which may hold secrets')
  return why ? besides(why, inner) : through(inner)
}

const XARGS = options('0rtx', 'nLPdsI', 'null no-run-if-empty verbose max-args= max-procs= delimiter=')

/** What it adds to the command comes from its input. */
function fromInput(args: readonly Word[], input?: Word): Known {
  const start = commandAt(args, XARGS)
  if (start === undefined) return besides('xargs has arguments that are not known', afterOptions(args))
  const inner = args.slice(start)
  if (inner.length === 0) return reads([])
  const given = readOptions(args.slice(0, start), XARGS)?.options ?? []
  const replaced = given.find(({ name }) => name === 'I')?.value
  const known = inner.map(word => (replaced && word.text.includes(replaced) ? unknownWord(word.text) : word))
  const has = (...names: string[]) => given.some(({ name }) => names.includes(name))
  // Divided in another way, names are no names any more; of what is tracked, the rest of the disk is not looked at.
  const other = has('d', 'delimiter') || (has('0', 'null') && input?.below?.tree === 'tracked')
  if (!input || other) return through([...known, unknownWord('…')])
  if (!replaced) return through([...inner, input])
  return through(inner.map((word, at) => (word.text === replaced ? input : (known[at] ?? word))))
}

function looksUp(args: readonly Word[]): Known {
  if (args[0]?.text === '-v' || args[0]?.text === '-V')
    return args.every(({ literal }) => literal) ? reads([]) : unknown('it is not known')
  return args[0]?.text.startsWith('-') ? besides('command has options', args.slice(1)) : through(args)
}

const NOTHING = options('')

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  bash: shell,
  sh: shell,
  dash: shell,
  eval: evaluated,
  env: withEnvironment,
  xargs: fromInput,
  command: looksUp,
  builtin: after(NOTHING),
  exec: after(NOTHING),
  time: after(options('p')),
  nice: after(options('', 'n', 'adjustment=', true)),
  timeout: after(options('v', 'sk', 'signal= kill-after= preserve-status foreground verbose'), 1),
  stdbuf: after(options('', 'ioe', 'input= output= error=')),
  sudo: own('sudo runs it as another user'),
  doas: own('doas runs it as another user'),
  su: own('su runs it as another user'),
  nohup: own('nohup lets it run on'),
  setsid: own('setsid lets it run on'),
  busybox: own('busybox may be any command'),
  toybox: own('toybox may be any command'),
  coproc: own('coproc lets it run on'),
  chroot: own('chroot runs it elsewhere'),
  watch: own('watch runs it again and again'),
  strace: own('strace runs a command'),
  parallel: own('parallel runs commands'),
  unshare: own('unshare runs a command'),
  flock: own('flock runs a command'),
  ionice: own('ionice runs a command'),
}
