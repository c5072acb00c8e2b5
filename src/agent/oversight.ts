/** Who watches over an agent's tools: the owner's hooks, and what is permitted. */

import type { Hooks } from './hooks/index.ts'
import { countDenial, endOfAttempt, NO_DENIALS, type Permissions } from './permissions/index.ts'
import { fenced } from './prompt-form.ts'
import type { Gated, RunnerOptions } from './tool-runner.ts'

export interface OversightOptions {
  hooks: Hooks
  permissions: Permissions
  signal: AbortSignal
  /** Tells the person something. */
  notice(text: string): void
}

/** What the loop asks before and after every call. Hooks come first: what they make of the input is what is judged. */
export function oversee({ hooks, permissions, signal, notice }: OversightOptions) {
  let denials = NO_DENIALS
  return {
    async gate(call, tool, input): Promise<Gated> {
      const verdict = await hooks.run('tool.before', { tool: call.tool, call: call.call, input }, signal)
      for (const problem of verdict.problems) notice(`A hook failed: ${problem}`)
      const amended = verdict.input === input ? { data: input } : tool.input.safeParse(verdict.input)
      // What no tool takes is not run, and whoever runs it says why.
      if (!('data' in amended)) return { go: true, input: verdict.input }
      const checked =
        verdict.blocked === undefined
          ? await permissions.check(tool, amended.data, signal)
          : { allowed: false as const, reason: verdict.blocked }
      denials = countDenial(denials, checked.allowed)
      if (!checked.allowed) return { go: false, reason: checked.reason }
      const { request } = checked
      return { go: true, input: amended.data, isUnchanged: () => permissions.isUnchanged(tool, request) }
    },
    async remark(call, { outcome, content }): Promise<string[]> {
      const text = content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
      const details = { tool: call.tool, call: call.call, input: call.input, outcome, text }
      const { context, blocked, problems } = await hooks.run('tool.after', details, signal)
      for (const problem of problems) notice(`A hook failed: ${problem}`)
      const remarks = blocked === undefined ? context : [...context, blocked]
      return remarks.map(remark => fenced({ kind: 'hook', text: remark }))
    },
    givenUp: () => endOfAttempt(denials),
  } satisfies Pick<RunnerOptions, 'gate' | 'remark'> & { givenUp(): string | undefined }
}
