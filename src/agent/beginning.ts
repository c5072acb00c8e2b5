/** What has to be found out before a conversation can begin. */
import type { Config, Home, Project } from '../config/index.ts'
import { limitsFor, loadPrompt, type Section, SystemPrompt, systemSections } from '../context/index.ts'
import type { Memory } from '../memory/index.ts'
import { chooseModel, type OpenedModel, openModel } from '../models/index.ts'
import { type Resumed, Sessions, type Transcript } from '../session/index.ts'
import type { Tool } from '../tools/index.ts'
import { findHooks, Hooks } from './hooks/index.ts'
import { loadDefinitions } from './subagents/index.ts'

export interface AgentOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  /** Left out where nothing is to be recalled and nothing kept. */
  memory?: Memory
  /** Where the person is, when it is not the project's root. */
  directory?: string
  /** The session to take up; a new one unless told. */
  session?: string
  /** Besides those that every conversation has: of other programs, of rooms above this one. */
  tools?: readonly Tool[]
  /** Of the system prompt, besides those that every conversation has. */
  sections?: readonly Section[]
  now?: () => Date
  /** For tests: time that passes at once. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
  idleMs?: number
}

export interface Beginning {
  model: OpenedModel
  sessions: Sessions
  transcript: Transcript
  resumed: Resumed | undefined
  prompt: SystemPrompt
  continueText: string
  hooks: Hooks
  definitions: Awaited<ReturnType<typeof loadDefinitions>>
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
      ? { transcript: sessions.create(), resumed: undefined }
      : await sessions.resume(options.session)
  const about = { session: transcript.id, project: project.root }
  return {
    model,
    sessions,
    transcript,
    resumed,
    prompt: systemPromptFor(options, model),
    continueText,
    hooks: new Hooks(hooks, about, { directory: project.root, env }),
    definitions,
    notices: [...notices, ...definitions.problems],
  }
}

function systemPromptFor(options: AgentOptions, model: OpenedModel): SystemPrompt {
  const { home, project, config, memory, directory = project.root, sections: others = [] } = options
  const { indexCharacters, historyCharacters } = limitsFor(model)
  return new SystemPrompt(
    systemSections({
      home,
      project,
      directory,
      memory,
      indexCharacters,
      historyCharacters,
      others,
      custom: config.prompt,
    }),
  )
}
