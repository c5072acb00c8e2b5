/** What has to be found out before a conversation can begin. */
import type { Config, Home, Project } from '../config/index.ts'
import { limitsFor, loadPrompt, type Section, SystemPrompt, systemSections } from '../context/index.ts'
import type { Memory } from '../memory/index.ts'
import { chooseModel, type OpenedModel, openModel } from '../models/index.ts'
import type { LentTools } from '../servers/index.ts'
import { type Message, type Resumed, Sessions, type Transcript } from '../session/index.ts'
import { Skills } from '../skills/index.ts'
import type { Tool } from '../tools/index.ts'
import { findHooks, Hooks } from './hooks/index.ts'
import type { GivenRules } from './permissions/index.ts'
import { loadDefinitions } from './subagents/index.ts'

export interface AgentOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  /** Instead of those of the owner's config; what the project's restricts holds all the same. */
  rules?: GivenRules
  /** Left out where nothing is to be recalled and nothing kept. */
  memory?: Memory
  /** Where the person is, when it is not the project's root. */
  directory?: string
  /** The session to take up; a new one unless told. */
  session?: string
  /** Of a new session, where it is not left to chance. */
  newSession?: { id: string; title?: string }
  /** Of a new session: what was said before it, elsewhere. */
  earlier?: readonly Message[]
  /** Besides those that every conversation has: of other programs, of rooms above this one. */
  tools?: readonly Tool[]
  /** What other programs lend: asked for once, right before the first request, with what there is already. */
  lend?: (own: readonly Tool[]) => Promise<LentTools>
  /** Of the system prompt, besides those that every conversation has. */
  sections?: readonly Section[]
  now?: () => Date
  /** For tests: time that passes at once. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
  idleMs?: number
}

export interface Beginning {
  /** For whose window the system prompt is made. */
  model: OpenedModel
  sessions: Sessions
  transcript: Transcript
  resumed: Resumed | undefined
  prompt: SystemPrompt
  continueText: string
  hooks: Hooks
  definitions: Awaited<ReturnType<typeof loadDefinitions>>
  skills: Skills
  /** Whether the model has the tool that loads them: a small window may have no place for it. */
  canLoadSkills: boolean
  /** To be told with the first answer. */
  notices: string[]
}

export async function prepareBeginning(options: AgentOptions): Promise<Beginning> {
  const { home, project, config, env, now } = options
  const model = await openModel(chooseModel(config, env).id, config, env)
  const sessions = new Sessions(home, project, { ...(now && { now }) })
  const { hooks, notices } = await findHooks(options)
  const definitions = await loadDefinitions(home, project)
  const continueText = await loadPrompt('continue')
  const { transcript, resumed } =
    options.session === undefined
      ? { transcript: sessions.create(options.newSession), resumed: undefined }
      : await sessions.resume(options.session)
  transcript.offRecord = options.memory === undefined
  const { directory = project.root } = options
  const skills = new Skills({
    home,
    project,
    directory,
    env,
    disabled: config.skills.disabled,
    ...(now && { now }),
  })
  const about = { session: transcript.id, project: project.root }
  const beginning: Omit<Beginning, 'prompt'> = {
    model,
    sessions,
    transcript,
    resumed,
    continueText,
    hooks: new Hooks(hooks, about, { directory: project.root, env }),
    definitions,
    skills,
    canLoadSkills: true,
    notices: [...notices, ...definitions.problems, ...problemsOf(skills)],
  }
  return Object.assign(beginning, { prompt: systemPromptFor(options, beginning) })
}

/** How many are told one by one; `reverie skills list` tells them all. */
const MOST_TOLD = 3

function problemsOf(skills: Skills): string[] {
  const { problems } = skills.find()
  const told = problems.slice(0, MOST_TOLD).map(({ path, problem }) => `${path}: ${problem}`)
  const more = problems.length - told.length
  return more > 0 ? [...told, `There is something wrong with ${more} more skills: reverie skills list`] : told
}

function systemPromptFor(options: AgentOptions, beginning: Omit<Beginning, 'prompt'>): SystemPrompt {
  const { home, project, config, memory, directory = project.root, sections: others = [] } = options
  const { skills } = beginning
  return new SystemPrompt(
    systemSections({
      home,
      project,
      directory,
      memory,
      room: () => limitsFor(beginning.model),
      skills: { skills, canLoad: () => beginning.canLoadSkills },
      others,
      custom: config.prompt,
    }),
  )
}
