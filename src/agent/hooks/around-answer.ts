/** What the owner's hooks have to say to a message, and to its answer. */
import { type Message, newMessageId } from '../../session/index.ts'
import type { Emit } from '../events.ts'
import type { Hooks } from './hooks.ts'

interface Around {
  emit: Emit
  signal: AbortSignal
  now: Date
}

/** Why a message is not to be answered, if a hook says so, and what hooks want the model to know. */
export async function askBeforeAnswer(
  hooks: Hooks,
  text: string,
  { emit, signal, now }: Around,
): Promise<{ blocked: string | undefined; context: Message[] }> {
  const { blocked, context, problems } = await hooks.run('prompt', { text }, signal)
  tellProblems(problems, emit)
  return { blocked, context: context.length > 0 ? [fromHooks(context, now)] : [] }
}

/** Why a hook sends an answer back, as a message for the model; undefined when none does. */
export async function askAfterAnswer(
  hooks: Hooks,
  text: string,
  { emit, signal, now }: Around,
): Promise<Message | undefined> {
  const { blocked, problems } = await hooks.run('reply', { text }, signal)
  tellProblems(problems, emit)
  return blocked === undefined ? undefined : fromHooks([blocked], now)
}

function tellProblems(problems: readonly string[], emit: Emit): void {
  for (const problem of problems) emit({ type: 'notice', text: `A hook failed: ${problem}` })
}

function fromHooks(texts: readonly string[], now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'program',
    at: now.toISOString(),
    parts: texts.map(text => ({ type: 'attachment', kind: 'hook', origin: 'program', text })),
  }
}
