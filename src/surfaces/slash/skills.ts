/** `/skills`: all that `reverie skills` does, for the conversation at hand. */
import { ReverieError } from '../../store/index.ts'
import { disable, enable, listSkills, showSkill } from '../actions/skills.ts'
import { needed, type SlashCommand } from './command.ts'

const ACTIONS = ['show', 'enable', 'disable'] as const

export const SKILL_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'skills',
    meanwhile: true,
    usage: '/skills [show|enable|disable NAME]',
    summary: 'instructions for kinds of work: list them, read one, accept one that was proposed',
    async complete(argument, { agent }) {
      const [, action = ''] = /^(\S+)\s+/.exec(argument) ?? []
      if (action === '') return ACTIONS.map(value => ({ value }))
      return agent.skills.find().skills.map(({ name, description }) => ({
        value: `${action} ${name}`,
        note: description,
      }))
    },
    async run(argument, { agent, home, columns }) {
      const [action = 'list', name = ''] = argument.split(/\s+/).filter(word => word !== '')
      const { skills } = agent
      const named = () => needed(name, `/skills ${action} memory`)
      switch (action) {
        case 'list': {
          const { text, notes = [] } = listSkills(skills, columns)
          return { text: [...notes, text].join('\n') }
        }
        case 'show':
          return { text: showSkill(skills, named()).text }
        case 'enable':
          return { text: (await enable(home, skills, named())).text }
        case 'disable':
          return { text: (await disable(home, skills, named())).text }
        default:
          throw new ReverieError('/skills, /skills show NAME, /skills enable NAME or /skills disable NAME')
      }
    },
  },
]
