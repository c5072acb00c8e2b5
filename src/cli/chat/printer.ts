import type { AgentEvent } from '../../agent/index.ts'
import { callLabel } from '../../surfaces/text/call-label.ts'
import { printable } from '../../surfaces/text/printable.ts'
import { styledError } from '../../surfaces/text/styled.ts'
import { fitTo } from '../../surfaces/text/width.ts'
import type { Effect } from '../../tools/index.ts'

const TOOL_INPUT_WIDTH = 80

/**
 * Shows what an agent does, line by line: the answer on stdout, everything else on stderr. Where a person reads
 * along, the answer appears as it comes; in a pipe only what stays of it is written.
 */
export class ChatPrinter {
  #live: boolean
  #atLineStart = true
  #countdown: NodeJS.Timeout | undefined

  constructor(live = process.stdout.isTTY === true) {
    this.#live = live
  }

  on = (event: AgentEvent): void => {
    if (event.type !== 'waiting') this.#stopCountdown()
    switch (event.type) {
      case 'recalled': {
        const names = event.memories.map(({ name, note }) => `${printable(name)} (${note})`)
        this.#aside(`recalled: ${names.join(', ')}`)
        break
      }
      case 'text':
        if (this.#live) this.#write(event.delta)
        break
      case 'reply':
        this.#finishReply(event.message.parts)
        break
      case 'retracted':
        if (this.#live) this.#aside('(cut off; asking again)')
        break
      case 'tool-started': {
        const { tool, input } = event.call
        this.#aside(fitTo(`· ${printable(callLabel(tool, input))}`, TOOL_INPUT_WIDTH))
        break
      }
      case 'tool-progress':
        this.#aside(`  ${printable(event.text)}`)
        break
      case 'tool-ended':
        if (event.outcome !== 'ok') this.#aside(`  ${event.outcome}: ${printable(event.text)}`)
        break
      case 'effect':
        this.#effect(event.effect)
        break
      case 'waiting':
        this.#wait(event)
        break
      case 'notice':
        this.#aside(printable(event.text))
        break
      case 'ended':
        if (event.end.reason === 'interrupted') this.#aside('(interrupted)')
        else if (event.end.message)
          this.line(`${styledError('red', 'error:')} ${printable(event.end.message)}`)
    }
  }

  /** Says something beside the answer. */
  #aside(text: string): void {
    this.line(styledError('dim', text))
  }

  #effect(effect: Effect): void {
    if (effect.kind === 'todo') {
      const marks = { pending: '☐', in_progress: '▸', completed: '☑' }
      for (const { text, status } of effect.items) this.#aside(`  ${marks[status]} ${printable(text)}`)
      return
    }
    const done =
      effect.kind === 'forgotten' ? 'Forgotten' : effect.created ? 'Remembered' : 'Updated what I remember'
    const undo =
      effect.undo === undefined ? '' : styledError('dim', ` · undo: reverie memory undo ${effect.undo}`)
    this.line(`${done}: ${printable(effect.name)}${undo}`)
    for (const warning of effect.warnings) this.#aside(`  ${printable(warning)}`)
  }

  #finishReply(parts: Extract<AgentEvent, { type: 'reply' }>['message']['parts']): void {
    if (!this.#live)
      for (const part of parts) if (part.type === 'text') process.stdout.write(`${printable(part.text)}\n`)
    if (this.#live && !this.#atLineStart) this.#write('\n')
  }

  #write(delta: string): void {
    const text = printable(delta)
    process.stdout.write(text)
    if (text !== '') this.#atLineStart = text.endsWith('\n')
  }

  /** A line of its own, also when an answer is being written. */
  line(text: string): void {
    if (!this.#atLineStart) this.#write('\n')
    process.stderr.write(`${text}\n`)
  }

  /** Counts down where a person can see it, and says it once where nobody does. */
  #wait({ ms, attempt, of, why }: Extract<AgentEvent, { type: 'waiting' }>): void {
    this.#stopCountdown()
    const until = Date.now() + ms
    const line = () =>
      `${printable(why)} Try ${attempt} of ${of} in ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s…`
    if (!process.stderr.isTTY) {
      this.#aside(line())
      return
    }
    const show = () => process.stderr.write(`\r\u001b[K${styledError('dim', line())}`)
    show()
    this.#countdown = setInterval(show, 1000)
    this.#countdown.unref()
  }

  #stopCountdown(): void {
    if (!this.#countdown) return
    clearInterval(this.#countdown)
    this.#countdown = undefined
    process.stderr.write('\r\u001b[K')
  }
}
