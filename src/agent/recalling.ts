import { recalledAttachment, recalledIn } from '../context/index.ts'
import type { Memory, Recalled, Select } from '../memory/index.ts'
import { ignoresMemory } from '../models/index.ts'
import { type Message, newMessageId } from '../session/index.ts'
import { because } from '../store/index.ts'
import type { Emit } from './events.ts'

/** Looks for what is remembered about what was just said. Nothing needs it: a failure is a reason, and never thrown. */
export function lookBack(
  text: string,
  { memory, messages, select }: { memory: Memory; messages: readonly Message[]; select: Select | undefined },
): Promise<{ memories: Recalled[]; failed?: string }> {
  if (ignoresMemory(text)) return Promise.resolve({ memories: [] })
  return memory.recall(text, { shown: recalledIn(messages), ...(select && { select }) }).then(
    memories => ({ memories }),
    error => ({ memories: [], failed: because(error) }),
  )
}

/** What was found, as it is told to the model; told to the person, too. */
export function recalledMessage(
  { memories, failed }: Awaited<ReturnType<typeof lookBack>>,
  { now, emit }: { now: Date; emit: Emit },
): Message | undefined {
  if (failed !== undefined) emit({ type: 'notice', text: `Nothing could be recalled: ${failed}` })
  if (memories.length === 0) return undefined
  emit({ type: 'recalled', memories })
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'memory',
    at: now.toISOString(),
    parts: [recalledAttachment(memories)],
  }
}
