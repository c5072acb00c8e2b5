/** Commands as other programs run them. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Machine } from './machine.ts'

export type HookEvent = 'start' | 'prompt' | 'stop' | 'end'

/** What a program hands its hooks' commands to. */
export type Shell = 'sh' | 'bash' | 'powershell' | 'cmd'

/** The line for a hook; on Windows, `shell` is what the agent runs it with there. */
export function hookCommand(machine: Machine, agent: string, event: HookEvent, shell: Shell): string {
  const words = [...machine.program, 'hook', agent, event, ...machine.flags]
  return commandLine(words, machine.platform === 'win32' ? shell : 'sh')
}

const PLAIN = /^[\w@%+=:,./\\-]+$/

export function commandLine(words: readonly string[], shell: Shell): string {
  if (shell === 'sh')
    return words.map(word => (PLAIN.test(word) && !word.includes('\\') ? word : singleQuoted(word))).join(' ')
  // Windows takes slashes in paths, and the shells that know escapes have then nothing to see in them.
  const quoted = words.map(word => {
    const path = shell === 'cmd' ? word : word.replaceAll('\\', '/')
    return PLAIN.test(path) ? path : `"${path}"`
  })
  // PowerShell takes a quoted word at the beginning for a text.
  return (shell === 'powershell' && quoted[0]?.startsWith('"') ? '& ' : '') + quoted.join(' ')
}

function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

const OURS = /(?:reverie|entry\.cjs)["']? hook [a-z-]+ (?:start|prompt|stop|end)\b/

/** Whether a command, or a text with one in it, is one that `connect` writes, wherever Reverie was then. */
export function isHookOfOurs(command: unknown): boolean {
  return typeof command === 'string' && OURS.test(command)
}

/** The words of a line that `commandLine` wrote. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, single, double, plain] of line
    .replace(/^& /, '')
    .matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g))
    words.push(single?.replaceAll(`'\\''`, "'") ?? double ?? plain ?? '')
  return words
}

/** Why a command that stands in somebody's settings does not run; undefined when it does. */
export function brokenBy(words: readonly string[]): string | undefined {
  const [program = '', script = ''] = words
  const paths = [program, ...(script.endsWith('entry.cjs') ? [script] : [])]
  const gone = paths.find(path => isAbsolute(path) && !existsSync(path))
  return gone === undefined ? undefined : `it starts ${gone}, which is not there`
}
