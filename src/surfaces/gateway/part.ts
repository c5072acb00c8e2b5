import type { Config, Home, Project } from '../../config/index.ts'

/** What a part of the gateway is given. */
export interface GatewayContext {
  readonly home: Home
  /** Where it was started: what belongs to no other project is done here. */
  readonly project: Project
  readonly env: NodeJS.ProcessEnv
  /** The settings of a project, as they are now. */
  configOf(project: Project): Promise<Config>
  /** A line in the log, and on stderr. */
  log(text: string): void
  /** What `reverie gateway status` says of this part: an address, a number of jobs. */
  note(text: string): void
  /** Aborted when the gateway begins to stop. */
  readonly signal: AbortSignal
}

/** Something that the gateway runs: schedules, dreams, the page. What it starts ends with the gateway. */
export interface GatewayPart {
  readonly name: string
  start(gateway: GatewayContext): Promise<AsyncDisposable>
}
