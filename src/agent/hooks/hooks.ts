import { type Hook, type HookEvent, type HookInput, type HookVerdict, isFor } from './hook.ts'
import { filesOfHooks } from './hook-files.ts'
import { type HookSurroundings, runHook } from './run-hook.ts'

/** The hooks of a conversation, one after the other in the order in which they are written. */
export class Hooks {
  #hooks: readonly Hook[]
  #about: { session: string; project: string }
  #surroundings: Omit<HookSurroundings, 'signal'>

  constructor(
    hooks: readonly Hook[],
    about: { session: string; project: string },
    surroundings: Omit<HookSurroundings, 'signal'>,
  ) {
    this.#hooks = hooks
    this.#about = about
    this.#surroundings = surroundings
  }

  /** Of the project, that they run. */
  get files(): string[] {
    return filesOfHooks(this.#hooks, this.#surroundings.directory)
  }

  /** What they all say about something. The first that blocks is the last that is asked. */
  async run(
    event: HookEvent,
    details: Pick<HookInput, 'tool' | 'call' | 'input' | 'outcome' | 'text' | 'dream' | 'task'>,
    signal: AbortSignal,
  ): Promise<HookVerdict> {
    const verdict: HookVerdict = { blocked: undefined, input: details.input, context: [], problems: [] }
    for (const hook of this.#hooks.filter(hook => isFor(hook, event, details.tool))) {
      const told = { ...this.#about, event, ...details, ...('input' in details && { input: verdict.input }) }
      const outcome = await runHook(hook, told, { ...this.#surroundings, signal })
      if (outcome.kind === 'failed') {
        if (hook.required) return { ...verdict, blocked: `A hook that must agree failed: ${outcome.problem}` }
        verdict.problems.push(outcome.problem)
        continue
      }
      const { decision, reason, input, context } = outcome.answer
      if (context) verdict.context.push(context)
      if (decision === 'block') return { ...verdict, blocked: reason || 'A hook of the owner forbids it.' }
      if (input !== undefined) verdict.input = input
    }
    return verdict
  }
}
