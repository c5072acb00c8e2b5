/** What a helper has to say, to its caller and to whoever follows it. */
import { type Message, textOf } from '../../session/index.ts'
import type { BackgroundTask, WorkEnd } from '../../work/index.ts'
import type { AgentEvent } from '../events.ts'

/** Characters of its report that go into a notification; all of it is in the transcript. */
const REPORT_CHARACTERS = 20_000
const TITLE_CHARACTERS = 80
/** Of what a tool is called with, in the output that can be followed. */
const INPUT_CHARACTERS = 200

/** As far as it is told of. */
export interface Reporting {
  id: string
  agent: string
  task: string
  turns: number
  /** What it said last. */
  said: string
}

export function titleOf({ agent, task }: Pick<Reporting, 'agent' | 'task'>): string {
  const line = `${agent}: ${task.trim().replaceAll(/\s+/g, ' ')}`
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1)}…` : line
}

export function endOf(
  helper: Pick<Reporting, 'agent' | 'task' | 'turns'>,
  how: string,
  said: string,
): WorkEnd {
  return {
    summary: `"${titleOf(helper)}" ${how} after ${turns(helper)}.`,
    report: (said || NOTHING_SAID).slice(0, REPORT_CHARACTERS),
  }
}

/** For whoever waits in front. */
export function reportOf(helper: Reporting, status: BackgroundTask['status']): string {
  const { id, agent, said } = helper
  return `${said || NOTHING_SAID}\n\n(${agent} ${id}, ${status} after ${turns(helper)})`
}

const NOTHING_SAID = '(it said nothing)'

function turns({ turns }: Pick<Reporting, 'turns'>): string {
  return turns === 1 ? '1 turn' : `${turns} turns`
}

/** What can be followed of a helper: what it says and what it calls. */
export function shown(event: AgentEvent): string {
  switch (event.type) {
    case 'reply': {
      const text = textOf(event.message)
      return text === '' ? '' : `${text}\n`
    }
    case 'tool-started':
      return `→ ${event.call.tool} ${JSON.stringify(event.call.input).slice(0, INPUT_CHARACTERS)}\n`
    case 'tool-ended':
      return event.outcome === 'ok' ? '' : `← ${event.tool}: ${event.outcome}\n`
    case 'notice':
      return `(${event.text})\n`
    default:
      return ''
  }
}

/** What an agent said last, which is its report. */
export function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'text'),
  )
  return last ? textOf(last) : ''
}
