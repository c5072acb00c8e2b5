import { SessionIndex, Sessions } from '../../session/index.ts'
import { printFound, printSessions } from '../text/sessions.ts'
import { needed, type SlashCommand } from './command.ts'

const LISTED_AT_MOST = 20

export const SESSION_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'search',
    meanwhile: true,
    usage: '/search QUERY',
    summary: 'what was said in any session',
    async run(query, { home }) {
      using index = SessionIndex.open(home)
      await index.refresh()
      return { text: printFound(await index.search(needed(query, '/search deployment'), { limit: 10 })) }
    },
  },
  {
    name: 'sessions',
    meanwhile: true,
    usage: '/sessions',
    summary: 'the sessions of this project',
    async run(_, { home, project, columns }) {
      const listed = await new Sessions(home, project).list()
      return { text: printSessions(listed.slice(0, LISTED_AT_MOST), { all: false, elsewhere: 0, columns }) }
    },
  },
  {
    name: 'resume',
    usage: '/resume ID',
    summary: 'take up another session; the beginning of its id is enough',
    async complete(_, { home, project, agent }) {
      const listed = await new Sessions(home, project).list()
      return listed
        .filter(({ id }) => id !== agent.transcript.id)
        .slice(0, LISTED_AT_MOST)
        .map(({ id, title }) => ({ value: id, note: title || '(untitled)' }))
    },
    async run(id, context) {
      const { home, project, agent } = context
      const found = await new Sessions(home, project).find(needed(id, '/resume 20261118'))
      if (found === agent.transcript.id) return { text: 'This is that session.' }
      await context.switchTo(found)
      return { takeUp: true }
    },
  },
  {
    name: 'new',
    usage: '/new',
    summary: 'begin a new session',
    async run(_, context) {
      await context.switchTo()
      return { text: 'A new session. What was said before stays where it is.' }
    },
  },
]
