/** The commands of a conversation: they work with every model, and wherever it is held. */

import { stripVTControlCharacters } from 'node:util'
import { nearest } from '../../config/index.ts'
import { ReverieError } from '../../store/index.ts'
import { BACKGROUND_COMMANDS } from './background.ts'
import type { Completion, Done, SlashCommand, SlashContext } from './command.ts'
import { DREAM_COMMANDS } from './dreams.ts'
import { MEMORY_COMMANDS } from './memories.ts'
import { REQUEST_COMMANDS } from './request.ts'
import { SCHEDULE_COMMANDS } from './schedule.ts'
import { SERVER_COMMANDS } from './servers.ts'
import { SESSION_COMMANDS } from './sessions.ts'
import { SKILL_COMMANDS } from './skills.ts'
import { STEERING_COMMANDS } from './steering.ts'
import { TASK_COMMANDS } from './tasks.ts'

class UnknownCommand extends ReverieError {}

const HELP: SlashCommand = {
  name: 'help',
  meanwhile: true,
  usage: '/help',
  summary: 'these commands',
  run: async (_, { columns }) => ({ text: helpText(columns) }),
}

/** All there are, in the order in which help lists them. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  HELP,
  ...MEMORY_COMMANDS,
  ...DREAM_COMMANDS,
  ...SESSION_COMMANDS,
  ...TASK_COMMANDS,
  ...SKILL_COMMANDS,
  ...BACKGROUND_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...REQUEST_COMMANDS,
  ...SERVER_COMMANDS,
  ...STEERING_COMMANDS,
]

const BY_NAME: ReadonlyMap<string, SlashCommand> = new Map(
  SLASH_COMMANDS.map(command => [command.name, command]),
)

export function isSlashCommand(text: string): boolean {
  return /^\/[a-z][a-z-]*(\s|$)/.test(text)
}

/** The command that a line gives; undefined where there is none of that name. */
export function slashCommandOf(text: string): SlashCommand | undefined {
  return BY_NAME.get(/^\/([a-z-]+)/.exec(text)?.[1] ?? '')
}

export async function runSlashCommand(text: string, context: SlashContext): Promise<Done> {
  const [, name = '', argument = ''] = /^\/([a-z-]+)\s*([\s\S]*)$/.exec(text) ?? []
  const command = BY_NAME.get(name)
  if (!command) {
    const meant = nearest(name, [...BY_NAME.keys()])
    throw new UnknownCommand(
      `There is no command /${name}.${meant ? ` Did you mean /${meant}?` : ''} /help lists them.`,
    )
  }
  const done = await command.run(argument.trim(), context)
  if (done.text === undefined || context.colours) return done
  return { ...done, text: stripVTControlCharacters(done.text) }
}

/** What a line that begins with a slash could become: names of commands, at once; or what a command takes. */
export function completeSlashCommand(
  line: string,
  context: SlashContext,
): readonly Completion[] | Promise<readonly Completion[]> {
  const [, name = '', space, argument = ''] = /^\/([a-z-]*)(\s+)?([\s\S]*)$/.exec(line) ?? []
  if (space !== undefined) return completeArgument(name, argument, context)
  return SLASH_COMMANDS.filter(command => command.name.startsWith(name)).map(({ name, summary }) => ({
    value: `/${name}`,
    note: summary,
  }))
}

async function completeArgument(
  name: string,
  argument: string,
  context: SlashContext,
): Promise<readonly Completion[]> {
  const known = (await BY_NAME.get(name)?.complete?.(argument, context)) ?? []
  return known.filter(({ value }) => value.startsWith(argument))
}

/** Longer ones have a line of their own. */
const USAGE_COLUMNS = 20
const LEAST_COLUMNS = 40

function helpText(columns: number): string {
  const indent = ' '.repeat(USAGE_COLUMNS)
  const room = Math.max(LEAST_COLUMNS, columns)
  return SLASH_COMMANDS.flatMap(({ usage, summary }) => {
    const about = folded(summary, room - USAGE_COLUMNS)
    if (usage.length > USAGE_COLUMNS - 2)
      return [...folded(usage, room), ...about.map(line => `${indent}${line}`)]
    return about.map((line, at) => `${at === 0 ? usage.padEnd(USAGE_COLUMNS) : indent}${line}`)
  }).join('\n')
}

/** Lines of whole words. */
function folded(text: string, room: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
