/** What the agent may do, what it is told meanwhile, and going back. */
import { MODES, type Mode, ruleText } from '../../agent/index.ts'
import { textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Rewound } from '../../tools/index.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import { needed, type SlashCommand } from './command.ts'

const REWIND_LISTED = 20

export const STEERING_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'permissions',
    meanwhile: true,
    usage: '/permissions [MODE]',
    summary: 'what may be done without a question: ask, acceptEdits, plan, auto or deny',
    complete: async () => MODES.map(value => ({ value })),
    async run(mode, { agent }) {
      if (mode !== '') agent.permissions.mode = readMode(mode)
      const { rules } = agent.permissions.policy
      const listed = rules.map(rule => `${rule.kind} ${ruleText(rule)} (${rule.source})`)
      return { text: [`Mode: ${agent.permissions.policy.mode}`, ...listed].join('\n') }
    },
  },
  {
    name: 'now',
    usage: '/now TEXT',
    summary: 'say something that cannot wait: what is being done is interrupted',
    run: async text => ({ say: needed(text, '/now Stop, use the other branch') }),
  },
  {
    name: 'unsay',
    usage: '/unsay',
    summary: 'take back the last thing that you said while the agent worked, unless it was heard',
    run: async () => ({ text: 'There is nothing to take back: nothing is being answered.' }),
  },
  {
    name: 'rewind',
    usage: '/rewind [N]',
    summary:
      'put files back to what they were N messages of yours ago; without N: what there is to go back to',
    async run(argument, { agent, columns }) {
      const mine = agent.messages.filter(({ origin }) => origin === 'person').toReversed()
      if (argument === '')
        return {
          text: table(
            mine
              .slice(0, REWIND_LISTED)
              .map((message, at) => [String(at + 1), inOneLine(printable(textOf(message)))]),
            columns,
          ),
        }
      const message = mine[Number(argument) - 1]
      if (!message)
        throw new ReverieError(`There is no message ${argument} to go back to; /rewind lists them.`)
      return { text: rewoundText(await agent.rewind(message.id)) }
    },
  },
  {
    name: 'quit',
    usage: '/quit',
    summary: 'end the conversation; it can be taken up again',
    run: async () => ({ end: true }),
  },
]

function readMode(text: string): Mode {
  const mode = MODES.find(mode => mode === text)
  if (mode) return mode
  throw new ReverieError(`"${text}" is not a mode: ${MODES.join(', ')}.`)
}

function rewoundText({ restored, removed, skipped }: Rewound): string {
  const lines = [
    ...restored.map(path => `restored ${path}`),
    ...removed.map(path => `removed ${path}, which had been created since`),
    ...skipped.map(({ path, reason }) => `left as it is: ${path} (${reason})`),
  ]
  return lines.length === 0 ? 'No file was changed since.' : lines.map(printable).join('\n')
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
