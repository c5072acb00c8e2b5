/** Sessions are kept until they are deleted, or for as long as the owner wants them (`sessions.keepDays`). */
import type { Aside } from '../agent/index.ts'
import type { Config, Home, Project } from '../config/index.ts'
import { Sessions } from '../session/index.ts'
import { because } from '../store/index.ts'

export interface OldSessionsOptions {
  home: Home
  project: Project
  config: Config
  now?: (() => Date) | undefined
}

/** Lets go of the project's old ones, never of the one at hand. What was done is told, and so is what could not be. */
export async function letGoOfOldSessions(
  { home, project, config, now = () => new Date() }: OldSessionsOptions,
  current: string,
): Promise<Aside | undefined> {
  const { keepDays } = config.sessions
  if (keepDays === undefined) return undefined
  try {
    const gone = await new Sessions(home, project, { now }).letGoAfter(keepDays, current)
    return gone.length === 0 ? undefined : { job: 'sessions', text: inWords(gone, keepDays) }
  } catch (error) {
    return { job: 'sessions', text: `Old sessions could not be moved to the trash: ${because(error)}` }
  }
}

function inWords([first = '', ...others]: readonly string[], days: number): string {
  const gone = others.length === 0 ? '1 session' : `${others.length + 1} sessions`
  const which = others.length === 0 ? first : 'ID'
  return `${gone} without a word for ${days} days went to the trash, for 30 days · reverie sessions restore ${which}`
}
