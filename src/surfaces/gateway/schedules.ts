/** Begins the jobs of every project that has some, and what HEARTBEAT.md lists in the gateway's own. */
import { openConversation, Scheduling } from '../../assembly/index.ts'
import type { Project } from '../../config/index.ts'
import { because } from '../../store/index.ts'
import { backgroundDirectory, NewsBox, projectsWithJobs, TaskRecords } from '../../work/index.ts'
import type { GatewayContext, GatewayPart } from './part.ts'

/** A project that has got its first job is noticed within this time. */
const LOOK_EVERY_MS = 5_000

export interface SchedulesOptions {
  /** False with `--no-memory`. */
  withMemory?: boolean
}

export function schedulesPart({ withMemory = true }: SchedulesOptions = {}): GatewayPart {
  return {
    name: 'schedules',
    async start(gateway) {
      const schedules = new Schedules(gateway, withMemory)
      await schedules.look()
      schedules.start()
      return schedules
    },
  }
}

class Schedules implements AsyncDisposable {
  #gateway: GatewayContext
  #withMemory: boolean
  #served = new Map<string, Scheduling>()
  #told = new Map<string, string>()
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: GatewayContext, withMemory: boolean) {
    this.#gateway = gateway
    this.#withMemory = withMemory
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.look()).catch(error => this.#complain('', because(error)))
    }, LOOK_EVERY_MS).unref()
  }

  /** Finds out which projects are to be served now. */
  async look(): Promise<void> {
    const { home, project: own, note } = this.#gateway
    const found = projectsWithJobs(home).filter(({ slug }) => slug !== own.slug)
    const wanted = new Map<string, Project>([[own.slug, own]])
    for (const each of found)
      if ('project' in each) wanted.set(each.slug, each.project)
      else this.#complain(each.slug, each.problem)
    for (const project of wanted.values()) if (!this.#served.has(project.slug)) await this.#serve(project)
    for (const [slug, scheduling] of this.#served)
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
    await Promise.all([...this.#served.values()].map(scheduling => scheduling[Symbol.asyncDispose]()))
  }

  /** What processes that are gone have left is marked first. */
  async #serve(project: Project): Promise<void> {
    const { home, env, configOf, log, project: own } = this.#gateway
    const box = new NewsBox(home, project)
    const scheduling = new Scheduling({
      home,
      project,
      env,
      open: openConversation,
      withMemory: this.#withMemory,
      config: () => configOf(project),
      heartbeats: project.slug === own.slug,
      onNews: news =>
        void box
          .add(news)
          .catch(error => log(`News of ${project.slug} could not be kept: ${because(error)}`)),
      log: text => log(project.slug === own.slug ? text : `${project.slug}: ${text}`),
    })
    this.#served.set(project.slug, scheduling)
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
