/** Dreams that begin by themselves while somebody talks: asked for after every answer, beside the conversation. */
import { type Aside, dreamHooks } from '../agent/index.ts'
import type { Config, Home, Project } from '../config/index.ts'
import {
  type DreamContext,
  type Dreamer,
  type DreamOutcome,
  type DreamProgress,
  dream,
  embeddedDreamer,
  mayDream,
  modelDreamer,
  progressLine,
} from '../dream/index.ts'
import { INDEX_FILE, type Memory } from '../memory/index.ts'
import { chooseModel, EMBEDDED, openModel } from '../models/index.ts'
import { NO_USAGE, type Usage } from '../session/index.ts'
import { because } from '../store/index.ts'
import type { BackgroundTasks, RunningTask, WorkEnd } from '../work/index.ts'

export interface DreamPlaceOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  memory: Memory
  /** The conversation that goes on meanwhile. */
  session?: string | undefined
}

/** What a dream needs, with the mind that the owner configured. */
export function dreamContext(options: DreamPlaceOptions): DreamContext {
  return { ...options, dreamer: dreamerFor(options), hooks: dreamHooks(options) }
}

/** Nothing of the model is loaded before there is a dream: the gates are asked after every answer. */
function dreamerFor({ home, project, config, env, memory }: DreamPlaceOptions): Dreamer {
  const id = config.dream.model ?? chooseModel(config, env).id
  if (id === EMBEDDED) return embeddedDreamer
  const { fallbackModel } = config
  return {
    name: id,
    async dream(task) {
      const model = await openModel(id, config, env)
      const fallback = fallbackModel === undefined ? undefined : () => openModel(fallbackModel, config, env)
      const [directory, state] = [memory.place('project'), memory.state('project')]
      return modelDreamer({ home, project, directory, state, model, fallback }).dream(task)
    },
  }
}

/** What a conversation is told, when there is something to say. */
function dreamAside({ status, id, changes }: DreamOutcome): Aside | undefined {
  if (status !== 'done') return undefined
  const skills = changes.flatMap(({ file }) => /^skills\/(.+)\/SKILL\.md$/.exec(file)?.[1] ?? [])
  const isIndex = changes.some(({ file }) => file === INDEX_FILE)
  const count = changes.length - skills.length - (isIndex ? 1 : 0)
  const text = [
    ...(isIndex && changes.length === 1 ? ['Mended the index'] : []),
    ...(count > 0 || (skills.length === 0 && !isIndex)
      ? [`Improved ${count} ${count === 1 ? 'memory' : 'memories'}`]
      : []),
    ...skills.map(name => `Made the skill ${name} (reverie skills show ${name})`),
  ].join(' · ')
  return {
    job: 'dream',
    text,
    ...(id !== undefined && { undo: { id, command: `reverie dream restore ${id}` } }),
  }
}

/** The same in one line. */
export function dreamLine(outcome: DreamOutcome): string | undefined {
  const aside = dreamAside(outcome)
  return aside && asideLine(aside)
}

/** What a side job has to say to the person, in one line. */
export function asideLine({ text, undo }: Aside): string {
  return undo === undefined ? text : `${text} · undo: ${undo.command}`
}

export interface DreamingOptions {
  /** Undefined where there is no memory to improve. */
  context(): Promise<DreamContext | undefined>
  /** Of the conversation that goes on: the dream ends with it. */
  background(): BackgroundTasks
  /** Whether nothing may begin that costs tokens. */
  isPoor?(): boolean
  /** Tells the person. */
  tell(aside: Aside): void
  /** What it cost belongs to the conversation. */
  charge?(usage: Usage): Promise<void>
}

export class Dreaming implements AsyncDisposable {
  #options: DreamingOptions
  #work: Promise<void> | undefined
  #over = false

  constructor(options: DreamingOptions) {
    this.#options = options
  }

  /** Dreams if it is time. It is not waited for. */
  consider(): void {
    this.#work ??= this.#dreamIfTime()
      .catch(error => this.#options.tell(failure(error)))
      .finally(() => {
        this.#work = undefined
      })
  }

  /** Stops what goes on; memory is then as it was. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true
    const { background } = this.#options
    for (const { id, kind } of background().list()) if (kind === 'dream') await background().stop(id)
    await this.#work
  }

  async #dreamIfTime(): Promise<void> {
    const { context, background, isPoor = () => false } = this.#options
    const about = await context()
    if (!about || (isPoor() && about.dreamer.name !== EMBEDDED)) return
    if (!(await mayDream(about)).open || this.#over) return
    const title = 'improves what is remembered'
    const live = background().start({ kind: 'dream', title, run: task => this.#dream(about, task) })
    const stopped = () => live.cancel('it was stopped')
    process.once('SIGUSR2', stopped) // reverie dream stop
    await live.gone
    process.off('SIGUSR2', stopped)
  }

  /** What it did is told to the person at once, and to the agent with the next message. */
  async #dream(context: DreamContext, task: RunningTask): Promise<WorkEnd> {
    const { tell, charge } = this.#options
    let spent = NO_USAGE
    let so: DreamProgress = {}
    try {
      const { signal } = task
      const progress = (news: DreamProgress) => {
        spent = news.usage ?? spent
        so = { ...so, ...news }
        task.progress(progressLine(so))
        if (news.phase !== undefined) task.output(`${news.phase}\n`)
      }
      const outcome = await dream(context, { force: true, signal, progress })
      spent = outcome.usage
      for (const { file, action, reason } of outcome.changes) task.output(`${action} ${file}: ${reason}\n`)
      for (const warning of outcome.warnings) task.output(`note: ${warning}\n`)
      const aside = dreamAside(outcome)
      if (aside) tell(aside)
      const line = aside && asideLine(aside)
      return { summary: line ?? 'A dream changed nothing.', isNews: line !== undefined }
    } catch (error) {
      if (!this.#over) tell(failure(error))
      return { status: 'failed', summary: `A dream failed: ${because(error)}`, isNews: false }
    } finally {
      if (spent.input + spent.output > 0) await charge?.(spent)
    }
  }
}

function failure(error: unknown): Aside {
  return { job: 'dream', text: `(dream: ${because(error)})` }
}
