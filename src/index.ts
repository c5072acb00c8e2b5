/** The library: what programs that embed Reverie import. */

export type {
  AgentEvent,
  AskPermission,
  ContextReport,
  End,
  EndReason,
  PermissionAnswer,
  PermissionQuestion,
  Transition,
} from './agent/index.ts'
export type { Config, Settings } from './config/index.ts'
export type { DreamChange, DreamOptions, DreamOutcome, DreamProgress } from './dream/index.ts'
export * from './library/index.ts'
export * from './memory/index.ts'
export type { ImagePart, Message, Part, ToolCallPart, ToolResultPart, Usage } from './session/index.ts'
export {
  ChangedMeanwhile,
  CorruptJournal,
  ForeignJournal,
  type JournalEntry,
  LockBusy,
  ReverieError,
  UnknownEntry,
  UnsafePath,
  WriteFailed,
} from './store/index.ts'
export type { Ask, Effect, Question, Tool, ToolContext, ToolOutput } from './tools/tool.ts'
