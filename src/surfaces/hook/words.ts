import { CLAUDE_CODE_MARKS } from '../import/claude-code/marks.ts'
import { CODEX_MARKS } from '../import/codex/marks.ts'
import { type Marks, tellApart } from '../import/injected.ts'
import type { HookAgent } from './payload.ts'

/** What Gemini CLI puts into the place where the person's words stand. */
const GEMINI_MARKS: Marks = {
  tags: ['hook_context', 'session_context'],
  beginnings: ['User steering update:', 'User hints:', 'Background execution update:'],
  // The files that are named with an @.
  appended: ['--- Content from referenced files ---', '--- Content from referenced context ---'],
}
const NO_MARKS: Marks = { tags: [], beginnings: [] }
const MARKS: Readonly<Record<HookAgent, Marks>> = {
  'claude-code': CLAUDE_CODE_MARKS,
  codex: CODEX_MARKS,
  cursor: NO_MARKS,
  gemini: GEMINI_MARKS,
}

/**
 * What the person said, of what an agent hands over as a prompt. The end of a task in the background, a message of another
 * session and what is open in an editor come in the same place, and are nobody's word.
 */
export function wordsOf(agent: HookAgent, prompt: string): string {
  return tellApart(prompt, MARKS[agent]).said
}
