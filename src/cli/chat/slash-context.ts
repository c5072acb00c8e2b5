import type { SlashContext } from '../../surfaces/slash/index.ts'
import type { Invocation } from '../invocation.ts'
import type { Opened } from './open.ts'

/** Where standard output is no terminal: tables that a person reads in a file or a pager. */
const COLUMNS_ELSEWHERE = 100

/** A conversation that is held on standard input and output. */
export function slashContext(
  opened: Opened,
  invocation: Invocation,
  tell: (text: string) => void,
): SlashContext {
  const { home, project, env, output } = invocation
  return {
    home,
    project,
    env,
    config: () => invocation.config(),
    get agent() {
      return opened.agent
    },
    get servers() {
      return opened.conversation.servers
    },
    get jobs() {
      return opened.conversation.jobs
    },
    memory: opened.memory,
    switchTo: session => opened.switchTo(session),
    get columns() {
      return process.stdout.columns ?? COLUMNS_ELSEWHERE
    },
    colours: !output.json,
    tell,
  }
}
