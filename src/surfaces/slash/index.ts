export type { Completion, Done, SlashCommand, SlashContext } from './command.ts'
export {
  completeSlashCommand,
  isSlashCommand,
  runSlashCommand,
  SLASH_COMMANDS,
  slashCommandOf,
} from './slash.ts'
