import { ownValue } from '../../store/index.ts'
import { escapesRule } from './escapes.ts'
import type { LookedAt, Verdict } from './request.ts'

/** Of these, what follows the second word does not change what is done: one rule for all of it is suggested. */
const SAME_WHATEVER_FOLLOWS: Readonly<Record<string, RegExp>> = {
  git: /^(add|commit|fetch|pull|checkout|switch|restore|merge|rebase|stash|branch|tag|mv|rm|reset|cherry-pick|revert)$/,
  ...byProgram('npm pnpm yarn bun', /^(test|t|start|build|lint|ls|list|outdated|view|why)$/),
  cargo: /^(build|check|test|clippy|fmt|doc|bench|tree|run)$/,
  go: /^(build|test|vet|fmt|list)$/,
  docker: /^(ps|images|logs|inspect)$/,
  kubectl: /^(get|describe|logs)$/,
  dotnet: /^(build|test|restore|format)$/,
  ...byProgram('gradle ./gradlew', /^(build|test|check|assemble|lint)$/),
  mvn: /^(test|compile|verify|package)$/,
  ...byProgram('pip pip3', /^(list|show|freeze|check)$/),
  uv: /^(sync|lock|tree)$/,
  poetry: /^(show|check|lock|build)$/,
  brew: /^(list|info|search)$/,
  deno: /^(lint|fmt|check)$/,
}
/** `npm run` says nothing yet; `npm run build` does. */
const WITH_SCRIPTS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

function byProgram(programs: string, what: RegExp): Record<string, RegExp> {
  return Object.fromEntries(programs.split(' ').map(program => [program, what]))
}

/** How many words of a command a rule for more than this very one would name. */
function wordsOfRule([program = '', what = '', script = '']: readonly string[]): number | undefined {
  if (WITH_SCRIPTS.has(program) && /^run(-script)?$/.test(what))
    return /^[\w:.-]+$/.test(script) && !script.startsWith('-') ? 3 : undefined
  const general = ownValue(SAME_WHATEVER_FOLLOWS, program)
  return general?.test(what) ? 2 : undefined
}

/** The rule that would have allowed this command: only when it is one command, with nothing special about it. */
export function commandSuggestion(
  { acts, unclear }: Extract<LookedAt, { kind: 'command' }>,
  verdicts: readonly Verdict[],
): string | undefined {
  if (unclear !== undefined) return undefined
  const open = acts.filter((_, at) => verdicts[at]?.decision === 'ask')
  const [act] = open
  if (open.length !== 1 || !act || act.words.length === 0 || act.words.some(({ literal }) => !literal))
    return undefined
  const words = act.words.map(({ text }) => text)
  if (words.some(text => text === '' || /[\s()\p{Cc}]/u.test(text) || /^:?\*$|:\*$/.test(text)))
    return undefined
  const general = escapesRule(act.words, 1) ? undefined : wordsOfRule(words)
  return general === undefined ? `bash(${words.join(' ')})` : `bash(${words.slice(0, general).join(' ')}:*)`
}
