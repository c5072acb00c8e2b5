/** Puts together what the loop needs, for the agent itself or for one of its helpers. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolCallPart } from '../../session/index.ts'
import { ensureDirectory, PRIVATE_FILE } from '../../store/index.ts'
import type { Tool } from '../../tools/index.ts'
import { Announcing } from '../announcing.ts'
import type { Emit } from '../events.ts'
import type { LoopParts } from '../loop.ts'
import { oversee } from '../oversight.ts'
import type { HelperParts } from '../subagents/index.ts'
import { toolForm } from '../tool-form.ts'
import type { Conversation } from './conversation.ts'
import type { View } from './view.ts'

/** Nothing from the model for this long, and the request is given up (4-agent.md). */
const IDLE_MS = 90_000
/** Characters of a result that are always shown, in the smallest window. */
const LEAST_RESULT = 1_000

export interface Doing {
  view: View
  tools: ReadonlyMap<string, Tool>
  emit: Emit
  signal: AbortSignal
  /** Whose loop it is, when it is not the agent's. */
  helper?: HelperParts
}

export function loopParts(
  {
    options,
    found,
    talk,
    mind,
    hearing,
    announcing: ownAnnouncing,
    permissions,
    outputs,
    ask,
    now,
  }: Conversation,
  { view, tools: agents, emit, signal, helper }: Doing,
): LoopParts {
  const { config, random = Math.random, idleMs = IDLE_MS } = options
  const { tools } = helper ?? { tools: agents }
  const room = view.roomFor(emit, signal, helper)
  const announcing = helper ? new Announcing(found.skills) : ownAnnouncing
  const overseen = oversee({
    hooks: found.hooks,
    permissions: helper?.alone ? permissions.alone() : permissions,
    signal,
    notice: text => emit({ type: 'notice', text }),
  })
  return {
    transcript: helper?.transcript ?? talk.transcript,
    system: helper?.system ?? view.system,
    tools,
    toolForms: helper ? [...tools.values()].map(toolForm) : view.toolForms,
    maxTurns: config.maxTurns,
    budgetUsd: config.budget.usd,
    spentUsd: () => talk.transcript.meta.usage?.usd ?? 0,
    observe: state => {
      if (!helper) view.sent = state
    },
    idleMs,
    fallback: mind.fallback,
    prepare: state => room.prepare(state),
    replyRoom: state => room.replyRoom(state),
    measured: usage => room.measured(usage),
    compact: state => room.afterTooLong(state),
    resultLimit: ({ resultLimit }) => Math.max(LEAST_RESULT, resultLimit * room.limits(mind.model).scale),
    inbox: helper?.inbox ?? (() => hearing.take()),
    continueText: found.continueText,
    keepAll: (call, text) => keepAll(outputs, call, text),
    ...overseen,
    remark: async (call, result) => [
      ...(await overseen.remark(call, result)),
      ...(result.outcome === 'ok' && tools.has('skill')
        ? announcing.after(tools.get(call.tool), call.input)
        : []),
    ],
    ask: helper ? undefined : ask(),
    emit,
    signal,
    now,
    sleep: options.sleep ?? interruptibleSleep,
    random,
  }
}

async function keepAll(outputs: string, { call }: ToolCallPart, text: string): Promise<string> {
  await ensureDirectory(outputs)
  const file = join(outputs, `${call.replaceAll(/[^\w-]/g, '_')}.txt`)
  await writeFile(file, text, { mode: PRIVATE_FILE })
  return file
}

async function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {}) // whoever waits looks at the signal
}
