import { repeatsInstructions } from './exclusions/repetition.ts'
import {
  isCode,
  isCodeFact,
  isCommitList,
  isDiff,
  isFixInCode,
  isGitLog,
  isListing,
  isTaskState,
} from './exclusions/shape.ts'

/** Why a text is not kept as a memory, even on request. */
export interface Exclusion {
  kind: 'git-history' | 'code' | 'listing' | 'instructions' | 'task-state'
  /** For the person who asked, ending with the question that leads to something worth keeping. */
  reason: string
}

/**
 * Whoever gives a reason, a preference or a decision says something that no file shows, whatever else
 * the text holds. A refusal in error costs more than a memory too many.
 */
const REASONS =
  /\b(?:why|because|since we|so that|reasons?|prefer\w*|never|always|decided?|decisions?|instead of|avoid|must|should|don't|do not|lessons?|learn(?:ed|t)|surpris\w*|important|turns? out|note that|unless|beware|careful|gotcha|rather than|due to|wants?|likes?|hates?)\b|因为|因為|由于|由於|所以|为什么|為什麼|原因|偏好|喜欢|喜歡|从不|從不|永远|永遠|总是|總是|不要|必须|必須|决定|決定|应该|應該|教训|教訓|避免|注意|而不是|优先|優先/i

/** "Rule: always use pnpm". */
const LABEL = /^\p{L}{1,16}[:：]\s*/u

const REASON_FOR: Record<Exclusion['kind'], string> = {
  'git-history':
    'This is git history, which `git log` and `git diff` always show more exactly. What about these changes was surprising, or is worth knowing next time?',
  code: 'This is what the code itself shows, and there it can be read as it is now. What about it was surprising, or cannot be seen by reading it?',
  listing:
    'This is a list of files, which can be looked up and soon goes out of date. What about these places was surprising, or is hard to find out?',
  instructions:
    'The project’s own instructions (AGENTS.md or CLAUDE.md) already say this. What is there to keep beyond it: an exception, or why it matters?',
  'task-state':
    'This is the state of the task at hand, which is over before the memory is read again. What about the task was surprising, or will still hold when it is done?',
}

/**
 * What is not worth remembering: it can be read elsewhere, or is soon untrue. `instructions` are the
 * full texts of the files that every conversation sees anyway.
 */
export function exclusionOf(
  memory: { name: string; description: string; body: string },
  instructions: readonly string[],
): Exclusion | undefined {
  const kind = kindOf(memory, instructions)
  return kind === undefined ? undefined : { kind, reason: REASON_FOR[kind] }
}

function kindOf(
  memory: { name: string; description: string; body: string },
  instructions: readonly string[],
): Exclusion['kind'] | undefined {
  const { name, description, body } = memory
  // Asked first: reasons that the instructions give as well are no reason to keep a second copy.
  const addsReason = [name, description.replace(LABEL, '')].some(
    text => REASONS.test(text) && !repeatsInstructions(text, instructions, 0),
  )
  if (!addsReason && repeatsInstructions(body, instructions)) return 'instructions'
  if (REASONS.test(`${name}\n${description}\n${body}`)) return undefined
  if (isDiff(body) || isGitLog(body) || isCommitList(body) || isFixInCode(body)) return 'git-history'
  if (isTaskState(body)) return 'task-state'
  if (isListing(body)) return 'listing'
  return isCode(body) || isCodeFact(body) ? 'code' : undefined
}
