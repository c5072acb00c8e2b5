import type { Command } from 'commander'
import type { Mode } from '../agent/index.ts'
import { ReverieError } from '../store/index.ts'
import { answerOnce, messageText, modeOption, openAgent, talk } from './chat/index.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command
    .option('-m, --message <text>', 'answer one message, then exit; - reads it from standard input')
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
    .action(async ({ message, mode }: { message?: string; mode?: Mode }, self: Command) => {
      const invocation = new Invocation(self)
      if (message === undefined && invocation.output.json)
        throw new ReverieError('A conversation is not one JSON document: give a message, with -m.')
      await using opened = await openAgent(invocation, { mode })
      if (message === undefined) await talk(opened, invocation)
      else await answerOnce(opened, messageText(message), invocation)
    })
}
