/** The rows that change: what is being said, what runs, what is asked, what is typed, how things stand. */
import { type BackgroundTask, isFinal } from '../../work/index.ts'
import type { Completion } from '../slash/index.ts'
import { displayWidth, fitTo } from '../text/width.ts'
import type { Editor } from './editor.ts'
import { layOut } from './editor-layout.ts'
import { preview } from './markdown-stream.ts'
import { type Scene, seconds } from './scene.ts'
import type { Cursor } from './screen.ts'
import { DIM, type Line, line, span } from './style.ts'
import { wrap } from './wrap.ts'

/** Something that the agent asks; what is asked about stands above, in the scrollback. */
export interface OpenQuestion {
  /** Said once more where it is answered. */
  title: string
  choices: readonly { label: string; note?: string }[]
  /** -1 while none is: nobody says yes with an Enter that was meant for something else. */
  selected: number
}

export interface Menu {
  items: readonly Completion[]
  selected: number
}

/** How things stand, for the last row. */
export interface Standing {
  model: string
  window: number
  mode: string
  isPoor: boolean
}

export interface LiveView {
  scene: Scene
  editor: Editor
  /** Said when nothing is typed. */
  placeholder: string
  /** Since when something is being done. */
  workingSince: number | undefined
  /** What a command is doing. */
  doing: string | undefined
  queue: readonly string[]
  background: readonly BackgroundTask[]
  question: OpenQuestion | undefined
  menu: Menu | undefined
  /** In place of the standing, for a moment. */
  hint: string | undefined
  standing: Standing
}

export interface Live {
  rows: Line[]
  cursor: Cursor
}

const PROMPT = span('› ', { colour: 'cyan', bold: true })
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const SPIN_MS = 120
const THOUGHT_ROWS = 3
const PROGRESS_ROWS = 3
const MENU_ROWS = 8
/** Windows that are lower than this show what is typed and little else. */
const LOW = 10
/** From this height on there is room for an empty row. */
const ROOMY = 16

export function layOutLive(view: LiveView, columns: number, rows: number, now: number): Live {
  const width = Math.max(4, columns)
  const isLow = rows < LOW
  // One row stays free: a terminal scrolls when its last one is full. What matters most takes its place first.
  let left = Math.max(1, rows - 1)
  const fitting = (wanted: Line[]) => {
    const kept = left > 0 ? wanted.slice(-left) : []
    left -= kept.length
    return kept
  }
  const typed = typing(view, width, Math.max(1, Math.floor(rows / 3)))
  fitting(typed.rows)
  const asked = fitting(view.question ? questionRows(view.question, width) : [])
  const most = isLow ? 3 : Math.min(MENU_ROWS, Math.floor(rows / 3))
  const menu = fitting(view.menu ? menuRows(view.menu, width, most) : [])
  const status = fitting(isLow ? [] : [statusRow(view, width)])
  const rule = fitting(isLow ? [] : [...(rows < ROOMY ? [] : [[]]), line('─'.repeat(width), DIM)])
  const above = going(view, width, left, now)
  const before = above.length + asked.length + rule.length
  return {
    rows: [...above, ...asked, ...rule, ...typed.rows, ...menu, ...status],
    cursor: { row: before + typed.cursor.row, column: typed.cursor.column },
  }
}

/** What goes on above the prompt, in as many rows as there are: the end of it, where it is too much. */
function going(view: LiveView, width: number, room: number, now: number): Line[] {
  const status = [
    ...callRows(view, width, now),
    ...waitingRows(view, width, now),
    ...view.queue.map(text => line(fitTo(`⋯ ${oneRow(text)}`, width), DIM)),
    ...backgroundRows(view.background, width, now),
  ].slice(0, Math.max(0, room))
  const left = room - status.length
  const shown = left > 0 ? replyRows(view, width).slice(-left) : []
  const all = [...shown, ...status]
  const isApart = all.length > 0 && view.scene.last !== undefined && room > all.length + 1
  const isReply = shown.length > 0 && (view.scene.stream.begun || view.scene.last === 'reply')
  return isApart && !isReply ? [[], ...all] : all
}

function replyRows({ scene }: LiveView, width: number): Line[] {
  const { thinking } = scene
  if (!thinking) return preview(scene.stream, width)
  const rows = thinking.text
    .trim()
    .split('\n')
    .flatMap(row => wrap(line(row, DIM), width - 2))
  return rows.slice(-THOUGHT_ROWS).map(row => [span('  '), ...row])
}

function callRows({ scene, workingSince, doing, question }: LiveView, width: number, now: number): Line[] {
  const spinner = SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length] ?? ''
  if (scene.calls.length === 0) {
    if (workingSince === undefined || question) return []
    const what = doing ?? (scene.thinking ? 'thinking' : 'working')
    const text = fitTo(`${what} · ${seconds(now - workingSince)} · Esc interrupts`, width - 2)
    return [[span(`${spinner} `, { colour: 'cyan' }), span(text, DIM)]]
  }
  return scene.calls.flatMap(({ label, since, progress }) => {
    const took = ` · ${seconds(now - since)}`
    const rows = (progress ?? '').trimEnd().split('\n').slice(-PROGRESS_ROWS)
    return [
      [
        span(`${spinner} `, { colour: 'cyan' }),
        span(fitTo(label, Math.max(1, width - 2 - took.length))),
        span(took, DIM),
      ],
      ...(progress ? rows.map(row => line(`  ${fitTo(row, Math.max(1, width - 2))}`, DIM)) : []),
    ]
  })
}

/** Counts down to the next try. */
function waitingRows({ scene: { waiting } }: LiveView, width: number, now: number): Line[] {
  if (!waiting) return []
  const { until, attempt, of, why } = waiting
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  return wrap(line(`${why} Try ${attempt} of ${of} in ${left} s…`, { colour: 'yellow' }), width)
}

function backgroundRows(tasks: readonly BackgroundTask[], width: number, now: number): Line[] {
  return tasks
    .filter(({ status }) => !isFinal(status))
    .map(({ id, kind, title, progress, waitingFor, startedAt }) => {
      const took = startedAt === undefined ? 'queued' : seconds(now - Date.parse(startedAt))
      const name = kind === 'dream' ? 'dreaming' : `${id} ${title}`
      const detail = waitingFor === undefined ? progress : `waits for an answer: ${waitingFor}`
      const text = [name, took, ...(detail === undefined ? [] : [detail])].join(' · ')
      return [span('◦ ', { colour: 'magenta' }), span(fitTo(oneRow(text), width - 2), DIM)]
    })
}

function questionRows({ title, choices, selected }: OpenQuestion, width: number): Line[] {
  return [
    ...wrap(line(title, { colour: 'yellow', bold: true }), width),
    ...choices.map(({ label, note }, at) => {
      const text = fitTo(`${at + 1}. ${oneRow(label)}${note === undefined ? '' : `  ${note}`}`, width - 2)
      return at === selected
        ? [span('❯ ', { colour: 'cyan' }), span(text, { bold: true })]
        : line(`  ${text}`)
    }),
  ]
}

/** The last rows of what is typed, around the cursor. */
function typing({ editor, placeholder }: LiveView, width: number, most: number): Live {
  const inner = width - displayWidth(PROMPT.text)
  const { rows, cursor } = layOut(editor, inner)
  const first = Math.max(0, Math.min(cursor.row - most + 1, rows.length - most))
  const start = cursor.row < first ? cursor.row : first
  const shown = rows.slice(start, start + most)
  const text = editor.text === '' ? [line(fitTo(placeholder, inner - 1), DIM)] : shown
  return {
    rows: text.map((row, at) => [start + at === 0 ? PROMPT : span('  '), ...row]),
    cursor: { row: cursor.row - start, column: cursor.column + displayWidth(PROMPT.text) },
  }
}

function menuRows({ items, selected }: Menu, width: number, most: number): Line[] {
  const start = Math.max(0, Math.min(selected - Math.floor(most / 2), items.length - most))
  const shown = items.slice(start, start + most)
  const wide = Math.min(Math.max(...shown.map(({ value }) => displayWidth(value))), Math.floor(width * 0.6))
  return shown.map(({ value, note = '' }, at) => {
    const name = fitTo(oneRow(value), wide)
    const space = ' '.repeat(Math.max(0, wide - displayWidth(name)) + 2)
    const rest = width - 2 - displayWidth(name) - space.length
    const isSelected = start + at === selected
    return [
      span(isSelected ? '❯ ' : '  ', { colour: 'cyan' }),
      span(name, isSelected ? { bold: true } : {}),
      ...(rest > 4 ? [span(space), span(fitTo(oneRow(note), rest), DIM)] : []),
    ]
  })
}

function statusRow({ hint, standing, scene, background }: LiveView, width: number): Line {
  if (hint !== undefined) return line(fitTo(hint, width), { colour: 'yellow' })
  const { model, window, mode, isPoor } = standing
  const running = background.filter(({ status }) => !isFinal(status)).length
  const facts = [
    model,
    ...(scene.filled === undefined ? [] : [`${Math.round((100 * scene.filled) / window)} % of context`]),
    ...(scene.usd === undefined || scene.usd === 0 ? [] : [`$${scene.usd.toFixed(scene.usd < 0.1 ? 4 : 2)}`]),
    ...(mode === 'ask' ? [] : [mode]),
    ...(isPoor ? ['poor'] : []),
    ...(running > 0 ? [`${running} in the background`] : []),
  ]
  return line(fitTo(facts.join(' · '), width), DIM)
}

function oneRow(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
