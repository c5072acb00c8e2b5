/** What can be done in a conversation: its own tools, and the helpers that it calls. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Memory } from '../../memory/index.ts'
import { memoryTools } from '../../tools/index.ts'
import { Hands } from '../hands.ts'
import { tellOfTask } from '../hooks/index.ts'
import {
  type Caller,
  type HelperHands,
  type MemoryScope,
  type Remembering,
  SubAgents,
} from '../subagents/index.ts'
import type { Conversation } from './conversation.ts'
import type { Toolbox } from './toolbox.ts'

export function makeHands(conversation: Conversation): Hands {
  const { options, found, talk, mind, permissions, outputs, background } = conversation
  const { home, project, config, env, memory, directory = project.root } = options
  const hands: Hands = new Hands({
    home,
    project,
    config,
    env,
    memory,
    skills: found.skills,
    directory,
    outputs,
    background,
    session: () => talk.transcript.id,
    onTask: event => tellOfTask(found.hooks, event),
    origin: () => (mind.model.id === 'embedded' ? 'owner' : 'agent'),
    message: () => talk.asked,
    maySearch: path => permissions.maySearch(path),
    mayFollow: async url => {
      const fetching = hands.tools.find(({ name }) => name === 'web_fetch')
      return fetching !== undefined && (await permissions.judge(fetching, { url })).decision === 'allow'
    },
  })
  return hands
}

export function makeHelpers(
  conversation: Conversation,
  { state, partsFor, hands }: Pick<Caller, 'state' | 'partsFor' | 'hands'>,
): SubAgents {
  const { found, talk, mind, hearing, background, now } = conversation
  return new SubAgents(
    {
      state,
      partsFor,
      hands,
      openModel: id => mind.open(id),
      remembering: (scope, agent) => remembering(conversation, scope, agent),
      transcript: async (id, goesOn) => {
        const helpers = found.sessions.helpersOf(talk.transcript.id)
        // One that was stopped before it heard its task has written nothing to go on with.
        if (goesOn && existsSync(helpers.pathOf(id))) return helpers.resume(id)
        return { transcript: helpers.create({ id }), resumed: undefined }
      },
      charge: usage => talk.transcript.charge(usage),
      background,
      attention: hearing.attention,
      inherit: helper => hearing.inherit(helper),
      now,
    },
    found.definitions.agents,
  )
}

/** The tools that the agent is told of, those among them that know of places and files being the helper's own. */
export function helperHands(
  hands: Hands,
  { told, all }: Pick<Toolbox, 'told' | 'all'>,
  id: string,
  about: { knowsAll: boolean },
): HelperHands {
  const { tools, seen } = hands.forHelper(id, about)
  const own = new Map(tools.map(tool => [tool.name, tool]))
  const known = new Map(told.map(tool => [tool.name, own.get(tool.name) ?? tool]))
  return { tools: known, further: [...all.values()].filter(({ name }) => !known.has(name)), seen }
}

async function remembering(
  { options, talk }: Conversation,
  scope: MemoryScope,
  agent: string,
): Promise<Remembering> {
  const { memory, home, project } = options
  if (!memory) return { tools: [], [Symbol.dispose]() {} }
  const from = { session: () => talk.transcript.id, origin: () => 'agent' as const }
  if (scope !== 'local') return { tools: memoryTools(memory, { ...from, scope }), [Symbol.dispose]() {} }
  const directory = join(home.projects, project.slug, 'agents', agent, 'memory')
  const own = await Memory.open({ home, project, directory })
  return {
    tools: memoryTools(own, { ...from, scope: 'project' }),
    [Symbol.dispose]: () => own[Symbol.dispose](),
  }
}
