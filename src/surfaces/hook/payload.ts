/** What other agents tell their hooks, told as one. */
import { isAbsolute } from 'node:path'

export const HOOK_AGENTS = ['claude-code', 'codex', 'cursor', 'gemini'] as const
export type HookAgent = (typeof HOOK_AGENTS)[number]

/** A session begins; the person has said something; the agent has answered; the session is over. */
export const HOOK_EVENTS = ['start', 'prompt', 'stop', 'end'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

export interface Told {
  session: string
  /** What the agent works in. */
  directory: string | undefined
  /** What the person said. */
  prompt: string
  /** What the agent answered. */
  reply: string
  /** Where the agent says that it writes the conversation down. */
  transcript: string | undefined
  /** A session that goes on has what it was given before. */
  resumed: boolean
  /** A conversation of programs: nobody is told anything in it, and nothing is learned from it. */
  unattended: boolean
}

const LONGEST_ID = 500

/** Undefined for what is no payload. */
export function readPayload(text: string): Told | undefined {
  const payload = parsed(text)
  if (payload === undefined) return undefined
  const textAt = (...names: string[]): string | undefined =>
    names.map(name => payload[name]).find(value => typeof value === 'string' && value !== '') as
      | string
      | undefined
  const session = textAt('session_id', 'conversation_id', 'sessionId')
  if (session === undefined || session.length > LONGEST_ID) return undefined
  const roots = payload.workspace_roots
  const directory =
    textAt('cwd') ?? (Array.isArray(roots) ? roots.find(root => typeof root === 'string') : undefined)
  return {
    session,
    directory: typeof directory === 'string' && isAbsolute(directory) ? directory : undefined,
    prompt: textAt('prompt') ?? '',
    reply: textAt('last_assistant_message', 'prompt_response') ?? '',
    transcript: textAt('transcript_path'),
    resumed: payload.source === 'resume',
    unattended: textAt('agent_id') !== undefined || payload.is_background_agent === true,
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined // somebody else's mistake, or the half of a payload
  }
}

/** A command of the agent's own, or of a shell, is not something to remember or to recall for. */
export function saysSomething(prompt: string): boolean {
  return prompt.trim() !== '' && !/^\s*[/!][\w:-]/.test(prompt)
}
