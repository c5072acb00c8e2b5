import type { Agent } from '../../agent/index.ts'
import type { ConversationJobs } from '../../assembly/index.ts'
import { type Memory, MemoryIsOff } from '../../memory/index.ts'
import type { Servers } from '../../servers/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Where } from '../actions/where.ts'

/** The conversation that a command is given in, and where its answer is shown. */
export interface SlashContext extends Where {
  readonly agent: Agent
  /** Undefined where memory is off. */
  readonly memory: Memory | undefined
  /** Those that lend it tools. */
  readonly servers?: Servers
  /** What begins at a time, here or while nobody is there. */
  readonly jobs: ConversationJobs
  /** Ends this conversation and takes up another one, or begins a new one. */
  switchTo(session?: string): Promise<void>
  /** How wide a table may be. */
  readonly columns: number
  /** Whether escape sequences are understood there. */
  readonly colours: boolean
  /** Says something beside the answer. */
  tell(text: string): void
  /** Says what is being done just now. */
  progress?(text: string): void
  /** Aborted when the person no longer wants it. */
  readonly signal?: AbortSignal
}

export interface Done {
  text?: string
  /** Goes to the agent as if the person had said it. */
  say?: string
  /** The conversation is over. */
  end?: boolean
  /** Another session was opened. */
  takeUp?: boolean
}

/** Something that an argument can be. */
export interface Completion {
  /** What is written in place of the word that is being typed. */
  value: string
  note?: string
}

export interface SlashCommand {
  name: string
  usage: string
  summary: string
  /** It can be given while the agent works: it reads, or changes nothing that the answer depends on. */
  meanwhile?: boolean
  /** What could be meant by the argument so far. Those that do not begin with it are left out by whoever asks. */
  complete?(argument: string, context: SlashContext): Promise<readonly Completion[]>
  run(argument: string, context: SlashContext): Promise<Done>
}

export function needed(argument: string, example: string): string {
  if (argument === '') throw new ReverieError(`Something is missing, as in ${example}`)
  return argument
}

export function memoryOf({ memory }: SlashContext): Memory {
  if (!memory) throw new MemoryIsOff()
  return memory
}
