import type { LookedAt, Verdict } from './request.ts'

/** Programs of which the second word says what they do: a rule for it leaves out the rest of the program. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'git npm pnpm yarn bun cargo go docker kubectl make just gradle mvn dotnet pip uv poetry brew apt rake deno'.split(
    ' ',
  ),
)

/** Of these, whatever follows is what they do, and no rule for more than one command is suggested. */
const DOES_ANYTHING =
  /^(git (push|config|-.*)|(npm|pnpm|yarn|bun) (exec|x|dlx|publish|config)|docker (run|exec)|kubectl (exec|delete|apply)|go (run|generate)|deno (run|eval)|uv run|poetry run)$/

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
  const [program = '', what = ''] = words
  const start = `${program} ${what}`
  const general = WITH_SUBCOMMANDS.has(program) && /^[\w:.-]+$/.test(what) && !what.startsWith('-')
  return general && !DOES_ANYTHING.test(start) ? `bash(${start}:*)` : `bash(${words.join(' ')})`
}
