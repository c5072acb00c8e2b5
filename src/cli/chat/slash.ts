/** The commands of a conversation: they work with every model, and `embedded` needs no other help. */

import { MODES, type Mode, ruleText } from '../../agent/index.ts'
import { nearest } from '../../config/index.ts'
import { chooseModel } from '../../models/index.ts'
import { SessionIndex, Sessions, textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Rewound } from '../../tools/index.ts'
import type { Invocation } from '../invocation.ts'
import { printChange, printList, printRecalled, printUndone } from '../memory-text.ts'
import { printable } from '../printable.ts'
import { printFound, printSessions } from '../sessions-text.ts'
import { table } from '../table.ts'
import { contextText } from './context-text.ts'
import type { Opened } from './open.ts'
import { runTasksCommand, TASKS_USAGE } from './slash-tasks.ts'

export interface Done {
  text?: string
  /** Goes to the agent as if the person had said it. */
  say?: string
  /** The conversation is over. */
  end?: boolean
  /** Another session was opened. */
  takeUp?: boolean
}

interface SlashCommand {
  usage: string
  summary: string
  run(argument: string, opened: Opened, invocation: Invocation): Promise<Done>
}

class UnknownCommand extends ReverieError {}
class MemoryIsOff extends ReverieError {}

export function isSlashCommand(text: string): boolean {
  return /^\/[a-z][a-z-]*(\s|$)/.test(text)
}

export async function runSlashCommand(text: string, opened: Opened, invocation: Invocation): Promise<Done> {
  const [, name = '', argument = ''] = /^\/([a-z-]+)\s*([\s\S]*)$/.exec(text) ?? []
  const command = SLASH_COMMANDS[name]
  if (command) return command.run(argument.trim(), opened, invocation)
  const meant = nearest(name, Object.keys(SLASH_COMMANDS))
  throw new UnknownCommand(
    `There is no command /${name}.${meant ? ` Did you mean /${meant}?` : ''} /help lists them.`,
  )
}

const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: {
    usage: '/help',
    summary: 'these commands',
    run: async () => ({ text: helpText() }),
  },
  memory: {
    usage: '/memory [query]',
    summary: 'everything that is remembered, or what answers a question',
    async run(query, opened) {
      const memory = memoryOf(opened)
      return { text: query ? printRecalled(await memory.search(query)) : printList(await memory.list()) }
    },
  },
  remember: {
    usage: '/remember TEXT',
    summary: 'keep something',
    async run(text) {
      return { say: `Remember: ${needed(text, '/remember I deploy on Fridays')}` }
    },
  },
  forget: {
    usage: '/forget FILE|TEXT',
    summary: 'forget a memory; it stays in the trash for 30 days',
    async run(text, opened) {
      const what = needed(text, '/forget user_prefers-tabs.md')
      if (!/^\S+\.md$/.test(what)) return { say: `Forget what you remember about this: ${what}` }
      return { text: printChange('Forgot', await memoryOf(opened).forget(what)) }
    },
  },
  undo: {
    usage: '/undo [ID]',
    summary: 'take back a change of memories, the last one unless told',
    async run(id, opened) {
      return { text: printUndone(await memoryOf(opened).undo(id || undefined)) }
    },
  },
  search: {
    usage: '/search QUERY',
    summary: 'what was said in any session',
    async run(query, _, { home }) {
      using index = SessionIndex.open(home)
      await index.refresh()
      return { text: printFound(await index.search(needed(query, '/search deployment'), { limit: 10 })) }
    },
  },
  sessions: {
    usage: '/sessions',
    summary: 'the sessions of this project',
    async run(_, __, { home, project }) {
      const listed = await new Sessions(home, project).list()
      return { text: printSessions(listed.slice(0, 20), { all: false, elsewhere: 0 }) }
    },
  },
  resume: {
    usage: '/resume ID',
    summary: 'take up another session; the beginning of its id is enough',
    async run(id, opened, { home, project }) {
      const found = await new Sessions(home, project).find(needed(id, '/resume 20261118'))
      if (found === opened.agent.transcript.id) return { text: 'This is that session.' }
      await opened.switchTo(found)
      return { takeUp: true }
    },
  },
  new: {
    usage: '/new',
    summary: 'begin a new session',
    async run(_, opened) {
      await opened.switchTo()
      return { text: 'A new session. What was said before stays where it is.' }
    },
  },
  model: {
    usage: '/model [ID]',
    summary: 'the model that is talked to, or another one from now on',
    async run(id, opened, invocation) {
      if (id) {
        await opened.agent.useModel(id)
        return { text: `Talking to ${opened.agent.model.id} from now on.` }
      }
      const { config } = await invocation.config()
      const { reason } = chooseModel(config, invocation.env)
      return {
        text: `${opened.agent.model.id}, because ${reason}. \`reverie models\` lists what can be used.`,
      }
    },
  },
  permissions: {
    usage: '/permissions [MODE]',
    summary: 'what may be done without a question: ask, acceptEdits, plan, auto or deny',
    async run(mode, { agent }) {
      if (mode !== '') agent.permissions.mode = readMode(mode)
      const { rules } = agent.permissions.policy
      const listed = rules.map(rule => `${rule.kind} ${ruleText(rule)} (${rule.source})`)
      return { text: [`Mode: ${agent.permissions.policy.mode}`, ...listed].join('\n') }
    },
  },
  bg: {
    usage: '/bg [stop ID]',
    summary: 'what runs in the background: commands and helpers',
    async run(argument, { agent }) {
      const [, id] = /^stop\s+(\S+)$/.exec(argument) ?? []
      if (id !== undefined) return { text: await stopInBackground(agent, id) }
      const commands = agent.hands.shells.list().map(({ id, status, title }) => [id, status, title])
      const helpers = agent.helpers
        .list()
        .map(({ id, status, agent, task }) => [id, status, `${agent}: ${task}`])
      const rows = [...commands, ...helpers].map(row => row.map(cell => oneLine(printable(cell))))
      return { text: rows.length === 0 ? 'Nothing has run in the background.' : table(rows) }
    },
  },
  rewind: {
    usage: '/rewind [N]',
    summary:
      'put files back to what they were N messages of yours ago; without N: what there is to go back to',
    async run(argument, { agent }) {
      const mine = agent.messages.filter(({ origin }) => origin === 'person').toReversed()
      if (argument === '')
        return {
          text: table(
            mine.slice(0, 20).map((message, at) => [String(at + 1), oneLine(printable(textOf(message)))]),
          ),
        }
      const message = mine[Number(argument) - 1]
      if (!message)
        throw new ReverieError(`There is no message ${argument} to go back to; /rewind lists them.`)
      return { text: rewoundText(await agent.rewind(message.id)) }
    },
  },
  tasks: {
    usage: TASKS_USAGE,
    summary: 'what is to be done, here and by other agents',
    run: async (argument, _, invocation) => ({ text: await runTasksCommand(argument, invocation) }),
  },
  context: {
    usage: '/context',
    summary: 'what the model is sent, part by part, and how large it is',
    run: async (_, { agent }) => ({ text: contextText(await agent.context()) }),
  },
  compact: {
    usage: '/compact [FOCUS]',
    summary: 'let a summary stand for the older part of the conversation; FOCUS is what it must keep',
    async run(focus, { agent }) {
      const done = await agent.compact(focus || undefined)
      return {
        text: done
          ? 'A summary stands for the older part now. All of it is still in the session.'
          : 'There is nothing yet that a summary could stand for.',
      }
    },
  },
  cost: {
    usage: '/cost',
    summary: 'tokens and money of this session',
    run: async (_, { agent }) => ({ text: costText(agent.transcript.meta.usage) }),
  },
  quit: {
    usage: '/quit',
    summary: 'end the conversation; it can be taken up again',
    run: async () => ({ end: true }),
  },
}

function helpText(): string {
  const width = Math.max(...Object.values(SLASH_COMMANDS).map(({ usage }) => usage.length))
  return Object.values(SLASH_COMMANDS)
    .map(({ usage, summary }) => `${usage.padEnd(width)}  ${summary}`)
    .join('\n')
}

function needed(argument: string, example: string): string {
  if (argument === '') throw new ReverieError(`Something is missing, as in ${example}`)
  return argument
}

function memoryOf({ memory }: Opened) {
  if (!memory) throw new MemoryIsOff('Memory is off (--no-memory): nothing is recalled and nothing is kept.')
  return memory
}

function readMode(text: string): Mode {
  const mode = MODES.find(mode => mode === text)
  if (mode) return mode
  throw new ReverieError(`"${text}" is not a mode: ${MODES.join(', ')}.`)
}

async function stopInBackground({ hands, helpers }: Opened['agent'], id: string): Promise<string> {
  if (hands.shells.list().some(task => task.id === id)) await hands.shells.stop(id)
  else helpers.stop(id)
  return `${id} was stopped.`
}

function rewoundText({ restored, removed, skipped }: Rewound): string {
  const lines = [
    ...restored.map(path => `restored ${path}`),
    ...removed.map(path => `removed ${path}, which had been created since`),
    ...skipped.map(({ path, reason }) => `left as it is: ${path} (${reason})`),
  ]
  return lines.length === 0 ? 'No file was changed since.' : lines.map(printable).join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function costText(usage: Opened['agent']['transcript']['meta']['usage']): string {
  if (!usage) return 'Nothing was asked of a model yet.'
  const { input, output, cacheRead, usd } = usage
  const cost = usd === undefined ? 'the price of this model is not known' : `$${usd.toFixed(4)}`
  const cached = input > 0 ? `, ${Math.round((100 * cacheRead) / input)} % from the cache` : ''
  return `${input} tokens in${cached}, ${output} out: ${cost}.`
}
