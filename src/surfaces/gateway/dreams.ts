/** Asks whether it is time to dream when nobody talks: at the times of `dream.cron`, or after `dream.intervalHours`. */
import { dreamContext, dreamLine } from '../../assembly/index.ts'
import { type Config, findProject, type Home, type Project } from '../../config/index.ts'
import { dream } from '../../dream/index.ts'
import { Memory } from '../../memory/index.ts'
import { everySessions, type Sessions } from '../../session/index.ts'
import { because } from '../../store/index.ts'
import { cronTimeAfter, NewsBox } from '../../work/index.ts'
import type { GatewayContext, GatewayPart } from './part.ts'

const LOOK_EVERY_MS = 60_000
/** Sessions are not looked at again before this time (3-dream.md, gate 2); then a closed gate is asked once more. */
const ASK_AGAIN_MS = 11 * 60_000

export interface DreamsOptions {
  /** For tests. */
  now?: () => Date
  lookEveryMs?: number
}

export function dreamsPart({
  now = () => new Date(),
  lookEveryMs = LOOK_EVERY_MS,
}: DreamsOptions = {}): GatewayPart {
  return {
    name: 'dreams',
    async start(gateway) {
      const dreams = new Dreams(gateway, { now, lookEveryMs })
      await dreams.start()
      return dreams
    },
  }
}

export type DreamTimes = Pick<Config['dream'], 'enabled' | 'cron' | 'intervalHours'>

export interface Asking {
  /** The gate that is asked then: how many hours the last dream must be ago. */
  minHours: number
}

/** Whether the gates are to be asked now, and what counts in place of the first of them. */
export function askNow(
  { enabled, cron, intervalHours }: DreamTimes,
  { asked, now, timeZone }: { asked: Date; now: Date; timeZone: string | undefined },
): Asking | undefined {
  if (!enabled) return undefined
  const next = cron === undefined ? undefined : cronTimeAfter(cron, asked, timeZone)
  if (next !== undefined && next <= now) return { minHours: 0 }
  const isTime = now.getTime() - asked.getTime() >= ASK_AGAIN_MS
  return intervalHours !== undefined && isTime ? { minHours: intervalHours } : undefined
}

class Dreams implements AsyncDisposable {
  #gateway: GatewayContext
  #options: Required<DreamsOptions>
  #asked: Date
  #again: { at: Date; minHours: number } | undefined
  #working: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: GatewayContext, options: Required<DreamsOptions>) {
    this.#gateway = gateway
    this.#options = options
    this.#asked = options.now()
  }

  /** Throws when the settings cannot be used. */
  async start(): Promise<void> {
    const { configOf, project, note } = this.#gateway
    const { dream, schedule } = await configOf(project)
    askNow(dream, { asked: this.#asked, now: this.#asked, timeZone: schedule.timeZone })
    const when = [
      ...(dream.cron === undefined ? [] : [`at ${dream.cron}`]),
      ...(dream.intervalHours === undefined ? [] : [`after ${dream.intervalHours} hours`]),
    ]
    note(
      when.length === 0 || !dream.enabled
        ? 'none by themselves (dream.cron, dream.intervalHours)'
        : when.join(', '),
    )
    this.#timer = setInterval(() => this.#look(), this.#options.lookEveryMs).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
  }

  #look(): void {
    this.#working ??= this.#askIfTime()
      .catch(error => this.#gateway.log(`could not be asked for: ${because(error)}`))
      .finally(() => {
        this.#working = undefined
      })
  }

  async #askIfTime(): Promise<void> {
    const { configOf, project, home, signal } = this.#gateway
    const { dream, schedule } = await configOf(project)
    const now = this.#options.now()
    const again = this.#again && this.#again.at <= now ? this.#again : undefined
    const asking = askNow(dream, { asked: this.#asked, now, timeZone: schedule.timeZone }) ?? again
    if (!asking) return
    this.#asked = now
    this.#again = undefined
    for (const project of await this.#projects(home))
      if (!signal.aborted) await this.#dreamIn(project, asking)
  }

  /** Those that somebody has talked in, the gateway's own first. */
  async #projects(home: Home): Promise<Project[]> {
    const { project: own } = this.#gateway
    const found = (await everySessions(home)).filter(({ slug }) => slug !== own.slug)
    const others = await Promise.all(found.map(projectOf))
    return [own, ...others.filter(project => project !== undefined)]
  }

  async #dreamIn(project: Project, { minHours }: Asking): Promise<void> {
    const { home, env, configOf, log, signal } = this.#gateway
    const settings = await configOf(project)
    const config = { ...settings, dream: { ...settings.dream, minHours } }
    try {
      using memory = await Memory.open({ home, project, directory: config.memory.dir })
      const context = dreamContext({ home, project, config, env, memory })
      const outcome = await dream(context, { signal })
      const line = dreamLine(outcome)
      if (outcome.gate === 'scan')
        this.#again = { at: new Date(this.#asked.getTime() + ASK_AGAIN_MS), minHours }
      else if (minHours === 0 || line !== undefined)
        log(`${project.slug}: ${line ?? outcome.reason ?? 'all is in order; nothing was changed'}`)
      if (line === undefined) return
      const news = { source: 'dream', kind: 'result', name: 'A dream', text: line } as const
      await new NewsBox(home, project).add({ ...news, at: new Date().toISOString() })
    } catch (error) {
      if (!signal.aborted) log(`${project.slug}: ${because(error)}`)
    }
  }
}

/** Where the newest session says that it is; believed only if that is the project of this name. */
async function projectOf(sessions: Sessions): Promise<Project | undefined> {
  try {
    const newest = (await sessions.ids()).toSorted().at(-1)
    if (newest === undefined) return undefined
    const { header } = await sessions.load(newest)
    const project = header.project === undefined ? undefined : findProject(header.project)
    return project?.slug === sessions.slug ? project : undefined
  } catch {
    return undefined // a project that is gone, or a session that cannot be read: there is nobody to dream for
  }
}
