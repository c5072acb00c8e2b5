import type { Command } from 'commander'
import { RECALLED_AT_MOST } from '../memory/index.ts'
import { printRecalled } from '../surfaces/text/memories.ts'
import { Invocation } from './invocation.ts'
import { positive } from './numbers.ts'

export function define(command: Command): void {
  command
    .argument('<query>', 'a question or a few words')
    .option('-k <n>', 'how many at most', positive, RECALLED_AT_MOST)
    .addHelpText(
      'after',
      '\nExamples:\n  $ reverie recall "how do we deploy?"\n  $ reverie recall "缩进 偏好" --json\n',
    )
    .action(async (query: string, { k }: { k: number }, self: Command) => {
      const invocation = new Invocation(self)
      if (!invocation.flags.memory) return invocation.output.result([], () => printRecalled([]))
      using memory = await invocation.memory()
      const recalled = await memory.recall(query, { k })
      invocation.output.result(recalled, () => printRecalled(recalled))
    })
}
