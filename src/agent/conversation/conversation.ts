import type { Ask } from '../../tools/index.ts'
import type { BackgroundTasks } from '../../work/index.ts'
import type { Announcing } from '../announcing.ts'
import type { AgentOptions, Beginning } from '../beginning.ts'
import type { Permissions } from '../permissions/index.ts'
import type { Hearing } from './hearing.ts'
import type { Mind } from './mind.ts'
import type { Talk } from './talk.ts'

/** What one conversation consists of. The agent holds it; what is made of it is in files of its own. */
export interface Conversation {
  options: AgentOptions
  found: Beginning
  talk: Talk
  mind: Mind
  hearing: Hearing
  /** Of skills, when a file is touched for which there are some. */
  announcing: Announcing
  permissions: Permissions
  /** Commands, helpers and dreams that run beside it, and end with it. */
  background: BackgroundTasks
  /** Private, of this session: output that is too long, what files were before. */
  outputs: string
  /** Who answers when the agent asks. */
  ask(): Ask | undefined
  now(): Date
}
