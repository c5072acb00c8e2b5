import { Argument, type Command } from 'commander'
import { loadConfig } from '../config/index.ts'
import { MemoryIsOff } from '../memory/index.ts'
import {
  IMPORT_AGENTS,
  type ImportAgent,
  type ImportReport,
  importFrom,
  type Tally,
} from '../surfaces/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { styled } from '../surfaces/text/styled.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie import claude-code --dry-run              what would come from ~/.claude
  $ reverie import codex
  $ reverie import claude-code --from ~/old/projects/-home-me-app --project ~/app
  $ reverie import chatgpt --from ~/Downloads/chatgpt-export

Importing again adds only what is new. What you deleted or forgot here does not come back.
`

interface ImportFlags {
  from?: string
  dryRun?: boolean
}

export function define(command: Command): void {
  command
    .addArgument(new Argument('<agent>', 'the program to import from').choices(IMPORT_AGENTS))
    .option('--from <path>', 'where its files are (default: where it usually keeps them)')
    .option('--dry-run', 'tell what would be done, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (agent: ImportAgent, { from, dryRun }: ImportFlags, self: Command) => {
      const invocation = new Invocation(self)
      const { flags, env, home, output } = invocation
      if (!flags.memory) throw new MemoryIsOff()
      const { memoryDir } = flags
      const progress = new Progress(output.json ? undefined : process.stderr)
      const report = await importFrom({
        agent,
        from,
        home,
        project: invocation.project,
        isChosen: flags.project !== undefined,
        dryRun: dryRun ?? false,
        env,
        memoryDirectory: async project => {
          const { config } = await loadConfig({ home, project, env, flags: { memoryDir } })
          return config.memory.dir
        },
        onProgress: (done, total) => progress.show(done, total),
      }).finally(() => progress.clear())
      output.result(report, () => printReport(report))
    })
}

/** A line on a terminal that is written over; nothing anywhere else. */
class Progress {
  #stream: NodeJS.WriteStream | undefined

  constructor(stream: NodeJS.WriteStream | undefined) {
    this.#stream = stream?.isTTY ? stream : undefined
  }

  show(done: number, total: number | undefined): void {
    const all = total === undefined ? '' : ` of ${total}`
    this.#stream?.write(`\r\u001b[2Kimported ${done}${all} sessions…`)
  }

  clear(): void {
    this.#stream?.write('\r\u001b[2K')
  }
}

/** What an import did, for a person. */
export function printReport(report: ImportReport): string {
  const { sessions, memories, history, unreadable, leftOut, notes, from, dryRun } = report
  const lines = [
    dryRun ? `Nothing was written. An import from ${printable(from)} would be:` : `From ${printable(from)}:`,
    `  sessions  ${printTally(sessions)}`,
    `  memories  ${printTally(memories)}`,
    ...(history.added + history.unchanged > 0
      ? [`  history   ${history.added} added, ${history.unchanged} unchanged`]
      : []),
    ...leftOut.map(({ what, count }) => styled('dim', `  left out: ${count} ${what}`)),
    ...notes.map(note => `${styled('yellow', '!')} ${printable(note)}`),
    ...printUnreadable(unreadable),
  ]
  const found = [sessions, memories].flatMap(tally => Object.values(tally) as number[])
  const isNothing = [...found, history.added, history.unchanged, unreadable.length].every(
    count => count === 0,
  )
  return isNothing
    ? [`Nothing to import was found in ${printable(from)}.`, ...lines.slice(3)].join('\n')
    : lines.join('\n')
}

/** Of one file, before the rest is counted: one that is no transcript has as many reasons as lines. */
const REASONS_SHOWN = 10

function printUnreadable(unreadable: ImportReport['unreadable']): string[] {
  const cross = styled('red', '✗')
  return [...Map.groupBy(unreadable, ({ file }) => file)].flatMap(([file, reasons]) => {
    const more = reasons.length - REASONS_SHOWN
    return [
      ...reasons
        .slice(0, REASONS_SHOWN)
        .map(({ reason }) => `${cross} ${printable(file)}: ${printable(reason)}`),
      ...(more > 0 ? [`${cross} ${printable(file)}: and ${more} more (--json lists all)`] : []),
    ]
  })
}

function printTally({ added, updated, unchanged }: Tally): string {
  return `${added} added, ${updated} updated, ${unchanged} unchanged`
}
