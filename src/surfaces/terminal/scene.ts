/** What is going on, as a value: an event makes the next one of it, and lines that stay. */
import type { AgentEvent } from '../../agent/index.ts'
import type { Effect } from '../../tools/index.ts'
import { callLabel } from '../text/call-label.ts'
import { outcomeLines } from './call-text.ts'
import { feed, finish, type MarkdownStream, NEW_STREAM } from './markdown-stream.ts'
import { DIM, type Line, line, lines, type Style, span } from './style.ts'
import { hang, wrap } from './wrap.ts'

export interface RunningCall {
  call: string
  label: string
  since: number
  /** What it said last. */
  progress?: string
}

export interface Scene {
  /** The reply that is coming. */
  readonly stream: MarkdownStream
  readonly thinking?: { text: string; since: number } | undefined
  readonly calls: readonly RunningCall[]
  readonly waiting?: { until: number; attempt: number; of: number; why: string } | undefined
  /** Tokens that the last request filled of the window. */
  readonly filled?: number | undefined
  readonly usd?: number | undefined
  /** What was said last: an empty line stands between things of different kinds. */
  readonly last?: Kind | undefined
}

export type Kind = 'person' | 'reply' | 'tool' | 'note' | 'answer'

export const QUIET: Scene = { stream: NEW_STREAM, calls: [] }

export interface Moment {
  width: number
  now: number
}

export interface Next {
  scene: Scene
  /** What stays, for the scrollback. */
  said: Line[]
}

/** Of a thought only its end is shown. */
const THOUGHT_KEPT = 2_000
const THOUGHT_WORTH_TELLING_MS = 1_000
const PERSON_LINES = 12
const ERROR: Style = { colour: 'red' }
const KEPT: Style = { colour: 'green' }

/** Says something of a kind. A reply that is coming goes on after it, also in the middle of a block. */
export function say(scene: Scene, kind: Kind, rows: readonly Line[]): Next {
  if (rows.length === 0) return same(scene)
  const { last } = scene
  const apart = last !== undefined && (last !== kind || kind === 'person' || kind === 'answer')
  return { scene: { ...scene, last: kind }, said: [...(apart ? [[]] : []), ...rows] }
}

/** What the person said. */
export function personLines(text: string, width: number): Line[] {
  const all = text.split('\n').flatMap(row => wrap(line(row), Math.max(1, width - 2)))
  const shown = all.slice(0, PERSON_LINES)
  const left = all.length - shown.length
  const rows = left > 0 ? [...shown, line(`… ${left} more rows`, DIM)] : shown
  return hang(rows, span('› ', { colour: 'cyan', bold: true }), span('  '))
}

export function after(scene: Scene, event: AgentEvent, moment: Moment): Next {
  const next = event.type === 'waiting' || !scene.waiting ? scene : { ...scene, waiting: undefined }
  const { width, now } = moment
  const tell = (rows: readonly Line[]) => say(next, 'note', rows)
  const aside = (text: string) => tell(wrapped(lines(text, DIM), width))
  switch (event.type) {
    case 'recalled':
      return aside(`recalled: ${event.memories.map(({ name, note }) => `${name} (${note})`).join(', ')}`)
    case 'thinking': {
      const { text, since } = next.thinking ?? { text: '', since: now }
      return same({ ...next, thinking: { text: (text + event.delta).slice(-THOUGHT_KEPT), since } })
    }
    case 'text':
      return hear(next, event.delta, moment)
    case 'reply':
      return settle(next, moment)
    case 'retracted': {
      const settled = settle(next, moment)
      const { scene, said } = say(settled.scene, 'note', [line('(cut off; asking again)', DIM)])
      return { scene, said: [...settled.said, ...said] }
    }
    case 'tool-started': {
      const { scene, said } = settle(next, moment)
      const { call, tool, input } = event.call
      const begun = { call, label: callLabel(tool, input), since: now }
      return { scene: { ...scene, calls: [...scene.calls, begun] }, said }
    }
    case 'tool-progress':
      return same({
        ...next,
        calls: next.calls.map(call =>
          call.call === event.call.call ? { ...call, progress: event.text } : call,
        ),
      })
    case 'tool-ended': {
      const label = next.calls.find(({ call }) => call === event.call)?.label ?? event.tool
      const calls = next.calls.filter(({ call }) => call !== event.call)
      const { outcome, text } = event
      return say({ ...next, calls }, 'tool', outcomeLines({ label, outcome, text }, width))
    }
    case 'effect':
      return say(next, 'tool', wrapped(effectLines(event.effect), width))
    case 'aside': {
      const undo = event.undo && withSlashCommands(event.undo.command)
      const { text, isDone = true } = event
      return tell(wrapped([isDone ? withUndo(text, undo) : [span('· ', DIM), span(text)]], width))
    }
    case 'waiting': {
      const { ms, attempt, of, why } = event
      return same({ ...next, waiting: { until: now + ms, attempt, of, why } })
    }
    case 'notice':
      return aside(event.text)
    case 'usage': {
      const { input, output } = event.usage
      return same({ ...next, filled: input + output, usd: event.total.usd })
    }
    case 'ended': {
      const { reason, message } = event.end
      const ended = settle({ ...next, calls: [], thinking: undefined }, moment)
      const rows =
        reason === 'interrupted'
          ? [line('(interrupted)', DIM)]
          : message === undefined
            ? []
            : wrapped([[span('error: ', ERROR), span(message)]], width)
      const { scene, said } = say(ended.scene, 'note', rows)
      return { scene, said: [...ended.said, ...said] }
    }
    default:
      return same(next)
  }
}

function same(scene: Scene): Next {
  return { scene, said: [] }
}

function hear(scene: Scene, text: string, moment: Moment): Next {
  const thought = overThinking(scene, moment)
  const { last, stream: before } = thought.scene
  // A second reply stands apart from the first as its paragraphs do from each other.
  const from = before === NEW_STREAM && last === 'reply' ? { ...NEW_STREAM, begun: true } : before
  const { stream, done } = feed(from, text, moment.width)
  return streamed({ ...thought, scene: { ...thought.scene, stream } }, done)
}

/** What was streaming is over: all of it is said. */
function settle(scene: Scene, moment: Moment): Next {
  const thought = overThinking(scene, moment)
  const { stream, done } = finish(thought.scene.stream, moment.width)
  return streamed({ ...thought, scene: { ...thought.scene, stream } }, done)
}

function streamed({ scene, said }: Next, done: readonly Line[]): Next {
  if (done.length === 0) return { scene, said }
  const isApart = scene.last !== undefined && scene.last !== 'reply' && done[0]?.length !== 0
  return { scene: { ...scene, last: 'reply' }, said: [...said, ...(isApart ? [[]] : []), ...done] }
}

function overThinking(scene: Scene, moment: Moment): Next {
  if (!scene.thinking) return same(scene)
  const took = moment.now - scene.thinking.since
  const next = { ...scene, thinking: undefined }
  if (took < THOUGHT_WORTH_TELLING_MS) return same(next)
  return say(next, 'note', [line(`thought for ${seconds(took)}`, DIM)])
}

export function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Commands that take something back are shorter in a conversation. */
export function withSlashCommands(text: string): string {
  return text
    .replaceAll('reverie memory undo ', '/undo ')
    .replaceAll('reverie dream restore ', '/dream-restore ')
}

function effectLines(effect: Effect): Line[] {
  if (effect.kind === 'todo') {
    const marks = { pending: '☐', in_progress: '▸', completed: '☑' }
    return effect.items.map(({ text, status }) =>
      line(`${marks[status]} ${text}`, status === 'in_progress' ? {} : DIM),
    )
  }
  const done =
    effect.kind === 'forgotten' ? 'Forgotten' : effect.created ? 'Remembered' : 'Updated what I remember'
  const undo = effect.undo === undefined ? undefined : `/undo ${effect.undo}`
  return [
    withUndo(`${done}: ${effect.name}`, undo),
    ...effect.warnings.map(warning => line(warning, { colour: 'yellow' })),
  ]
}

function withUndo(text: string, undo: string | undefined): Line {
  return [span('✓ ', KEPT), span(text), ...(undo === undefined ? [] : [span(` · undo: ${undo}`, DIM)])]
}

function wrapped(rows: readonly Line[], width: number): Line[] {
  return rows.flatMap(row => wrap(row, width))
}
