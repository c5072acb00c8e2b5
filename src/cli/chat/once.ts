import type { AgentEvent, End } from '../../agent/index.ts'
import { asideLine } from '../../assembly/index.ts'
import { textOf } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { isSlashCommand, runSlashCommand } from '../../surfaces/slash/index.ts'
import { printable } from '../../surfaces/text/printable.ts'
import { styledError } from '../../surfaces/text/styled.ts'
import type { Effect } from '../../tools/index.ts'
import type { Invocation } from '../invocation.ts'
import type { Opened } from './open.ts'
import { ChatPrinter } from './printer.ts'
import { slashContext } from './slash-context.ts'

/** One message and its answer. The exit code is 0 when it was answered. */
export async function answerOnce(opened: Opened, text: string, invocation: Invocation): Promise<void> {
  if (text.trim() === '') throw new ReverieError('The message is empty; there is nothing to answer.')
  if (isSlashCommand(text)) {
    const tell = (text: string) => invocation.output.message(text)
    const done = await runSlashCommand(text, slashContext(opened, invocation, tell))
    if (done.say === undefined)
      return invocation.output.result({ output: done.text ?? '' }, () => done.text ?? '')
    return answerWith(opened, emit => opened.agent.send(done.say ?? '', emit), invocation)
  }
  await answerWith(opened, emit => opened.agent.send(text, emit), invocation)
}

/** Goes on with what a session had left unanswered. */
export async function goOnOnce(opened: Opened, invocation: Invocation): Promise<void> {
  await answerWith(opened, emit => opened.agent.goOn(emit), invocation)
}

type Answer = (emit: (event: AgentEvent) => void) => Promise<End>

async function answerWith(opened: Opened, answer: Answer, invocation: Invocation): Promise<void> {
  const { agent } = opened
  opened.onAside = aside => invocation.output.message(styledError('dim', printable(asideLine(aside))))
  const torn = agent.resumed?.tornBytes ?? 0
  if (torn > 0) invocation.output.message(`(a last line of ${torn} bytes was cut short)`)
  const printer = invocation.output.json ? undefined : new ChatPrinter()
  const collected = new Collected()
  const stop = () => agent.interrupt()
  process.on('SIGINT', stop)
  try {
    const end = await answer(event => {
      collected.on(event)
      printer?.on(event)
    })
    if (end.reason !== 'answered') invocation.fail()
    if (!invocation.output.json) return
    const session = agent.transcript.id
    invocation.output.result({ session, model: agent.model.id, ...collected.toJson(), ...end }, () => '')
  } finally {
    process.off('SIGINT', stop)
  }
}

/** An answer as one value, for programs. */
class Collected {
  #replies: string[] = []
  #effects: Effect[] = []
  #recalled: string[] = []
  #usage: unknown

  on(event: AgentEvent): void {
    if (event.type === 'reply') this.#replies.push(textOf(event.message))
    if (event.type === 'effect') this.#effects.push(event.effect)
    if (event.type === 'recalled') this.#recalled.push(...event.memories.map(({ file }) => file))
    if (event.type === 'usage') this.#usage = event.total
  }

  toJson() {
    return {
      reply: this.#replies.filter(text => text !== '').join('\n\n'),
      recalled: this.#recalled,
      effects: this.#effects,
      usage: this.#usage ?? null,
    }
  }
}
