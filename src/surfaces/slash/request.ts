/** What the model is sent: which one it is, how much, and what it cost. */
import { chooseModel } from '../../models/index.ts'
import type { Usage } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { usableProviders } from '../actions/models.ts'
import { contextText } from '../text/context.ts'
import type { SlashCommand } from './command.ts'

export const REQUEST_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'model',
    meanwhile: true,
    usage: '/model [ID]',
    summary: 'the model that is talked to, or another one from now on',
    async complete(_, { env, config }) {
      const usable = await usableProviders((await config()).config, env)
      return usable.flatMap(({ models, key }) =>
        models.map(value => ({ value, note: key ?? 'no key needed' })),
      )
    },
    async run(id, { agent, env, config }) {
      if (id) {
        await agent.useModel(id)
        return { text: `Talking to ${agent.model.id} from now on.` }
      }
      const { reason } = chooseModel((await config()).config, env)
      return {
        text: `${agent.model.id}, because ${reason}. \`reverie models\` lists what can be used.`,
      }
    },
  },
  {
    name: 'context',
    usage: '/context',
    summary: 'what the model is sent, part by part, and how large it is',
    run: async (_, { agent, columns }) => ({ text: contextText(await agent.context(), columns) }),
  },
  {
    name: 'compact',
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
  {
    name: 'cost',
    meanwhile: true,
    usage: '/cost',
    summary: 'tokens and money of this session',
    run: async (_, { agent }) => ({ text: costText(agent.transcript.meta.usage) }),
  },
  {
    name: 'poor',
    meanwhile: true,
    usage: '/poor [on|off]',
    summary: 'no side job of this conversation spends tokens any more: no dreams, extraction or notes',
    complete: async () => [{ value: 'on' }, { value: 'off' }],
    async run(how, { agent }) {
      if (!['', 'on', 'off'].includes(how)) throw new ReverieError('/poor, /poor on or /poor off')
      agent.poor = how === '' ? !agent.poor : how === 'on'
      return {
        text: agent.poor
          ? 'Poor: only your own messages cost tokens from now on. /poor off ends it.'
          : 'Side jobs may spend tokens again.',
      }
    },
  },
]

function costText(usage: Usage | undefined): string {
  if (!usage) return 'Nothing was asked of a model yet.'
  const { input, output, cacheRead, usd } = usage
  const cost = usd === undefined ? 'the price of this model is not known' : `$${usd.toFixed(4)}`
  const cached = input > 0 ? `, ${Math.round((100 * cacheRead) / input)} % from the cache` : ''
  return `${input} tokens in${cached}, ${output} out: ${cost}.`
}
