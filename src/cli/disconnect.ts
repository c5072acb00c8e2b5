import type { Command } from 'commander'
import { planDisconnect, thisMachine } from '../surfaces/connect/index.ts'
import { agentArgument, agentOf, carryOut, type EditFlags } from './connect.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie disconnect claude-code        shows the change, and asks
  $ reverie disconnect codex --yes

The settings are then byte for byte what they were before; where somebody changed them meanwhile, only what is
Reverie's is taken out. What is remembered stays.
`

export function define(command: Command): void {
  command
    .addArgument(agentArgument('<agent>', 'the agent to take memory out of'))
    .option('-y, --yes', 'write it without a question')
    .option('--dry-run', 'show what would be written, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, flags: EditFlags, self: Command) => {
      const invocation = new Invocation(self)
      const { home, env } = invocation
      const agent = agentOf(id)
      const plan = await planDisconnect({ agent, machine: thisMachine(home, env), home })
      await carryOut(invocation, plan, flags, {
        id,
        done: `${agent.name} is no longer connected. What is remembered stays.`,
        nothing: `Nothing of Reverie is in the settings of ${agent.name}.`,
      })
    })
}
