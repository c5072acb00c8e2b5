/** Begins the jobs of every project that has some, and what HEARTBEAT.md lists in the gateway's own. */
import { openConversation, Scheduling } from '../../assembly/index.ts'
import type { Config, Project } from '../../config/index.ts'
import { because } from '../../store/index.ts'
import { backgroundDirectory, NewsBox, projectsWithJobs, TaskRecords } from '../../work/index.ts'
import type { GatewayContext, GatewayPart } from './part.ts'

/** A project that has got its first job is noticed within this time. */
const LOOK_EVERY_MS = 5_000

export interface SchedulesOptions {
  /** False with `--no-memory`. */
  withMemory?: boolean
  /** For tests. */
  lookEveryMs?: number
}

export function schedulesPart({
  withMemory = true,
  lookEveryMs = LOOK_EVERY_MS,
}: SchedulesOptions = {}): GatewayPart {
  return {
    name: 'schedules',
    async start(gateway) {
      const schedules = new Schedules(gateway, withMemory)
      await schedules.look()
      schedules.start(lookEveryMs)
      return schedules
    },
  }
}

interface Served {
  scheduling: Scheduling
  /** What it was begun with: other settings need another one. */
  settings: string
}

class Schedules implements AsyncDisposable {
  #gateway: GatewayContext
  #withMemory: boolean
  #served = new Map<string, Served>()
  #told = new Map<string, string>()
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: GatewayContext, withMemory: boolean) {
    this.#gateway = gateway
    this.#withMemory = withMemory
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.look()).catch(error => this.#complain('', because(error)))
    }, everyMs).unref()
  }

  /** Finds out which projects are to be served now. */
  async look(): Promise<void> {
    const { home, project: own, note } = this.#gateway
    const found = projectsWithJobs(home).filter(({ slug }) => slug !== own.slug)
    const wanted = new Map<string, Project>([[own.slug, own]])
    for (const each of found)
      if ('project' in each) wanted.set(each.slug, each.project)
      else this.#complain(each.slug, each.problem)
    for (const project of wanted.values()) await this.#keepServed(project)
    for (const [slug, { scheduling }] of this.#served)
      if (!wanted.has(slug) && scheduling.scheduler.live.length === 0) {
        this.#served.delete(slug)
        await scheduling[Symbol.asyncDispose]()
      }
    const others = [...wanted.keys()].filter(slug => slug !== own.slug)
    note(
      others.length === 0
        ? `jobs of ${own.slug}`
        : `jobs of ${own.slug} and of ${others.toSorted().join(', ')}`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all([...this.#served.values()].map(({ scheduling }) => scheduling[Symbol.asyncDispose]()))
  }

  /** With the settings as they are now. Those that cannot be read are told where nothing is served yet. */
  async #keepServed(project: Project): Promise<void> {
    const { slug } = project
    const served = this.#served.get(slug)
    try {
      const { schedule } = await this.#gateway.configOf(project)
      if (served?.settings === JSON.stringify(schedule)) return
      if (served && served.scheduling.scheduler.live.length > 0) return
      await served?.scheduling[Symbol.asyncDispose]()
      await this.#serve(project, schedule)
    } catch (error) {
      if (!served) this.#complain(slug, because(error))
    }
  }

  /** What processes that are gone have left is marked first. */
  async #serve(project: Project, settings: Config['schedule']): Promise<void> {
    const { home, env, configOf, log, project: own } = this.#gateway
    const box = new NewsBox(home, project)
    const scheduling = new Scheduling(
      {
        home,
        project,
        env,
        open: openConversation,
        withMemory: this.#withMemory,
        config: () => configOf(project),
        heartbeats: project.slug === own.slug,
        onNews: news =>
          box.add(news).catch(error => log(`News of ${project.slug} could not be kept: ${because(error)}`)),
        log: text => log(project.slug === own.slug ? text : `${project.slug}: ${text}`),
      },
      settings,
    )
    this.#served.set(project.slug, { scheduling, settings: JSON.stringify(settings) })
    this.#told.delete(project.slug)
    scheduling.start()
    await new TaskRecords(backgroundDirectory(home, project))
      .recover(new Date())
      .catch(error =>
        log(`What ran in the background of ${project.slug} could not be looked at: ${because(error)}`),
      )
  }

  /** Once, until it is something else. */
  #complain(slug: string, problem: string): void {
    if (this.#told.get(slug) === problem) return
    this.#told.set(slug, problem)
    this.#gateway.log(slug === '' ? problem : `Jobs of ${slug} are not begun: ${problem}`)
  }
}
