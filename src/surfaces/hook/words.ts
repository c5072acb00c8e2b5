import { CLAUDE_CODE_MARKS } from '../import/claude-code/marks.ts'
import { CODEX_MARKS } from '../import/codex/marks.ts'
import { type Marks, tellApart } from '../import/injected.ts'
import type { HookAgent } from './payload.ts'

const NO_MARKS: Marks = { tags: [], beginnings: [] }
const MARKS: Readonly<Record<HookAgent, Marks>> = {
  'claude-code': CLAUDE_CODE_MARKS,
  codex: CODEX_MARKS,
  cursor: NO_MARKS,
  gemini: NO_MARKS,
}

/**
 * What the person said, of what an agent hands over as a prompt. The end of a task in the background, a message of another
 * session and what is open in an editor come in the same place, and are nobody's word.
 */
export function wordsOf(agent: HookAgent, prompt: string): string {
  return tellApart(prompt, MARKS[agent]).said
}
