/** What other agents take from their hooks, each in its form. */
import type { HookAgent, HookEvent } from './payload.ts'

export interface Answer {
  /** For the model. */
  context?: string | undefined
  /** One line for the person. */
  message?: string | undefined
}

/** What each calls the events that it takes something for the model with. */
const CALLED: Readonly<Record<HookAgent, Partial<Record<HookEvent, string>>>> = {
  'claude-code': { start: 'SessionStart', prompt: 'UserPromptSubmit' },
  codex: { start: 'SessionStart', prompt: 'UserPromptSubmit' },
  gemini: { start: 'SessionStart', prompt: 'BeforeAgent' },
  cursor: { start: 'sessionStart', prompt: 'beforeSubmitPrompt' },
}

/** The text for standard output; nothing when there is nothing to say, which all of them take for that. */
export function printAnswer(agent: HookAgent, event: HookEvent, { context, message }: Answer): string {
  const hookEventName = CALLED[agent][event]
  const told = hookEventName === undefined || !context ? undefined : context
  if (agent === 'cursor') {
    if (told === undefined) return ''
    return JSON.stringify({ ...(event === 'prompt' && { continue: true }), additional_context: told })
  }
  if (told === undefined && !message) return ''
  return JSON.stringify({
    ...(message && { systemMessage: message }),
    ...(told !== undefined && { hookSpecificOutput: { hookEventName, additionalContext: told } }),
  })
}

/** Cursor has no place for a line to the person. */
export function canTellPerson(agent: HookAgent, event: HookEvent): boolean {
  return agent !== 'cursor' && event !== 'end'
}
