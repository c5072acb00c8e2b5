/** The commands of a conversation: they work with every model, and `embedded` needs no other help. */

import { nearest } from '../../config/index.ts'
import { chooseModel } from '../../models/index.ts'
import { SessionIndex, Sessions } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Invocation } from '../invocation.ts'
import { printChange, printList, printRecalled, printUndone } from '../memory-text.ts'
import { printFound, printSessions } from '../sessions-text.ts'
import type { Opened } from './open.ts'

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

function costText(usage: Opened['agent']['transcript']['meta']['usage']): string {
  if (!usage) return 'Nothing was asked of a model yet.'
  const { input, output, cacheRead, usd } = usage
  const cost = usd === undefined ? 'the price of this model is not known' : `$${usd.toFixed(4)}`
  const cached = input > 0 ? `, ${Math.round((100 * cacheRead) / input)} % from the cache` : ''
  return `${input} tokens in${cached}, ${output} out: ${cost}.`
}
