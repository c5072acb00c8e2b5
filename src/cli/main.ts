import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { because, ReverieError } from '../store/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { styledError } from '../surfaces/text/styled.ts'
import { COMMANDS } from './commands.ts'
import { packageVersion } from './version.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2

const EXAMPLES = `
Examples:
  $ reverie                          talk in the terminal
  $ reverie -m "What do you know about me?"
  $ reverie doctor                   see what is set up
  $ reverie recall "how do we deploy?"
  $ reverie memory list
  $ reverie help memory              help on one command
`

/** Runs one command line and sets the exit code: 0 done, 1 it failed, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', error => {
    // The reader has gone (`reverie … | head`): nothing is left to say.
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`${styledError('red', 'error:')} Could not write the answer: ${because(error)}.\n`)
    process.exit(EXIT_FAILED)
  })
  // Nobody reads what stands beside the answer: that is no reason to stop in the middle of it.
  process.stderr.on('error', () => {})
  const json = args.includes('--json')
  const shown: string[] = []
  try {
    await createProgram(json ? text => shown.push(text) : undefined).parseAsync(normalise(args), {
      from: 'user',
    })
  } catch (error) {
    report(error, args)
    if (shown.length > 0) process.stdout.write(`${JSON.stringify(asDocument(shown.join('')))}\n`)
  }
}

/** What is shown of help or the version goes to `show` instead of stdout. */
function createProgram(show?: (text: string) => void): Command {
  const program = new Command('reverie')
    .description('An AI agent that remembers.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option(
      '--home <dir>',
      'where Reverie keeps everything (default: $REVERIE_HOME, else ~/.reverie)',
      notEmpty,
    )
    .option('--project <dir>', 'the project to work in (default: this directory)', notEmpty)
    .option('--memory-dir <dir>', "use this directory for the project's memories", notEmpty)
    .option('--model <id>', 'the model to talk to: PROVIDER/MODEL, or "embedded"', notEmpty)
    .option('--no-memory', 'recall nothing and keep nothing')
    .option('--json', 'print one JSON document')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .hook('preSubcommand', async (_, command) => {
      const file = await COMMANDS[command.name()]?.load()
      file?.define(command)
    })
  for (const [name, { summary, hidden = false }] of Object.entries(COMMANDS))
    program.command(name, { hidden }).description(summary)
  inherit(program, show)
  return program
}

/** A script whose variable is not set means no directory, and not the usual one. */
function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty.')
  return value
}

/** Errors are thrown and not exited on, in every command and sub-command. */
function inherit(program: Command, show?: (text: string) => void): void {
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      ...(show && { writeOut: show }),
      outputError: (text, write) => write(styledError('red', text)),
    })
  }
}

/** Help and version are one JSON document too, where that is asked for. */
function asDocument(text: string): object {
  return text.trim() === packageVersion() ? { version: packageVersion() } : { help: text }
}

const MESSAGE = ['-m', '--message']
const WITH_VALUE = new Set(['--home', '--project', '--memory-dir', '--model', '--mode', ...MESSAGE])
const ANSWERED_AT_ONCE = ['-h', '--help', '-V', '--version']

/** Where no command is named, it is a conversation, also with `-m several words`; `help COMMAND` is `COMMAND --help`. */
export function normalise(args: readonly string[]): string[] {
  if (args[0] === 'help') return [...args.slice(1), '--help']
  const first = args.find((arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(args[at - 1] ?? ''))
  const named =
    first !== undefined && (Object.hasOwn(COMMANDS, first) || !args.some(arg => MESSAGE.includes(arg)))
  return named || args.some(arg => ANSWERED_AT_ONCE.includes(arg)) ? [...args] : ['chat', ...args]
}

function report(error: unknown, args: readonly string[]): void {
  if (error instanceof CommanderError) {
    // Commander has printed its message. Help and version are not errors.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
    if (error.exitCode !== 0) printJsonError(args, usageMessage(error))
    return
  }
  process.exitCode = EXIT_FAILED
  const message = error instanceof Error ? error.message : String(error)
  const shown =
    error instanceof ReverieError || !(error instanceof Error) ? message : (error.stack ?? message)
  process.stderr.write(`${styledError('red', 'error:')} ${printable(shown)}\n`)
  printJsonError(args, message)
}

/** Commander says `(outputHelp)` when it printed help because a sub-command is missing. */
function usageMessage({ message }: CommanderError): string {
  return message.startsWith('(') ? 'a sub-command is missing; see --help' : message.replace(/^error: /, '')
}

/** With `--json` a failure is one JSON document too. */
function printJsonError(args: readonly string[], message: string): void {
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
}
