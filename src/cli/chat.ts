import type { Command } from 'commander'
import type { Mode } from '../agent/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { answerOnce, modeOption, openAgent, talk } from './chat/index.ts'
import { Invocation } from './invocation.ts'
import { orStandardInput } from './standard-input.ts'

const EXIT_USAGE = 2

interface ChatFlags {
  message?: string
  mode?: Mode
  dumpPrompt?: boolean
}

export function define(command: Command): void {
  command
    .option('-m, --message <text>', 'answer one message, then exit; - reads it from standard input')
    .option('--dump-prompt', 'print the system prompt, section by section, and ask nothing')
    .addOption(modeOption())
    .addHelpText(
      'after',
      `
Examples:
  $ reverie                                     talk in the terminal
  $ reverie -m "I prefer tabs. Remember that."  one message
  $ git diff | reverie -m -                     from a pipe
  $ reverie -m "hi" --model embedded            without any language model
`,
    )
    .action(async ({ message, mode, dumpPrompt }: ChatFlags, self: Command) => {
      const invocation = new Invocation(self)
      if (dumpPrompt) return dump(invocation)
      if (message === undefined && invocation.output.json)
        self.error('error: A conversation is not one JSON document: give a message, with -m.', {
          exitCode: EXIT_USAGE,
        })
      await using opened = await openAgent(invocation, {
        mode,
        brief: message !== undefined || !process.stdin.isTTY,
      })
      if (message === undefined) await talk(opened, invocation)
      else await answerOnce(opened, await orStandardInput(message), invocation)
    })
}

/** What a model would be told now. */
async function dump(invocation: Invocation): Promise<void> {
  await using opened = await openAgent(invocation)
  const report = await opened.agent.context()
  const { model, window, tools } = report
  invocation.output.result(report, () =>
    [
      ...report.sections.flatMap(({ name, side, tokens, text }, at) => [
        ...(side === 'project' && report.sections[at - 1]?.side !== 'project' ? [BOUNDARY] : []),
        `──── ${name} (about ${tokens} tokens) ────`,
        printable(text),
      ]),
      `════ about ${report.tokens} tokens of ${window} for ${model}, ${tools} of them for tools ════`,
    ].join('\n\n'),
  )
}

const BOUNDARY = '════ boundary: what follows is of this project ════'
