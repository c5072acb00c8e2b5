import { recalledAttachment, recalledIn } from '../context/index.ts'
import type { Memory } from '../memory/index.ts'
import { type Message, newMessageId } from '../session/index.ts'
import { because } from '../store/index.ts'
import type { Emit } from './events.ts'

/** Brings back what is remembered about what was just said. Nothing needs it, so a failure is only told. */
export async function recallFor(
  text: string,
  { memory, messages, now, emit }: { memory: Memory; messages: readonly Message[]; now: Date; emit: Emit },
): Promise<Message | undefined> {
  try {
    const memories = await memory.recall(text, { shown: recalledIn(messages) })
    if (memories.length === 0) return undefined
    emit({ type: 'recalled', memories })
    return {
      id: newMessageId(),
      role: 'user',
      origin: 'memory',
      at: now.toISOString(),
      parts: [recalledAttachment(memories)],
    }
  } catch (error) {
    emit({ type: 'notice', text: `Nothing could be recalled: ${because(error)}` })
    return undefined
  }
}
