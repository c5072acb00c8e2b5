import { expect, test } from 'vitest'
import type { AgentEvent } from '../../agent/index.ts'
import { EMPTY, editorWith } from './editor.ts'
import { type LiveView, layOutLive } from './live.ts'
import { after, QUIET, type Scene, say } from './scene.ts'
import { line, textOfLine } from './style.ts'

const call = { type: 'tool-call', call: 'c1', tool: 'bash', input: { command: 'npm test' } } as const
const end = (outcome: 'ok' | 'error', text: string): AgentEvent => ({
  type: 'tool-ended',
  call: 'c1',
  tool: 'bash',
  outcome,
  text,
})
const text = (delta: string): AgentEvent => ({ type: 'text', delta })
const answered: AgentEvent = { type: 'ended', end: { reason: 'answered' } }

/** What stays of what happened, and where things stand then. */
function told(...events: readonly AgentEvent[]): { rows: string[]; scene: Scene } {
  let scene: Scene = QUIET
  const rows: string[] = []
  for (const [at, event] of events.entries()) {
    const next = after(scene, event, { width: 40, now: at * 1_000 })
    scene = next.scene
    rows.push(...next.said.map(textOfLine))
  }
  return { rows, scene }
}

test.each<[what: string, events: AgentEvent[], rows: string[]]>([
  [
    'a call that went well, with its result in a row',
    [{ type: 'tool-started', call }, end('ok', 'one\ntwo\n'), text('Done.'), answered],
    ['✓ bash npm test', '  one (2 lines)', '', 'Done.'],
  ],
  [
    'one that did not',
    [{ type: 'tool-started', call }, end('error', 'a\nb\nc\nd\ne')],
    ['✗ bash npm test', '  a', '  b', '  c', '  d'],
  ],
  [
    'what was remembered, with its undo',
    [
      {
        type: 'effect',
        effect: { kind: 'remembered', created: true, name: 'Tea', file: 'f', undo: '3f', warnings: [] },
      },
    ],
    ['✓ Remembered: Tea · undo: /undo 3f'],
  ],
  [
    'what a dream did beside it, with the command that takes it back',
    [
      {
        type: 'aside',
        job: 'dream',
        text: 'Improved 2 memories',
        undo: { id: '7f', command: 'reverie dream restore 7f' },
      },
    ],
    ['✓ Improved 2 memories · undo:', '/dream-restore 7f'],
  ],
  [
    'what a job has to say that was not done is not ticked off',
    [{ type: 'aside', job: 'schedule', text: 'Job 3f was missed.', isDone: false }],
    ['· Job 3f was missed.'],
  ],
  [
    'a word from beside, in the middle of a block of code, which goes on',
    [text('```\none\n'), { type: 'notice', text: 'by the way' }, text('# two\n```\nEnd.'), answered],
    ['  one', '', 'by the way', '', '  # two', '', 'End.'],
  ],
  [
    'a reply that broke off and came again',
    [text('Fir'), { type: 'retracted' }, text('First.'), answered],
    ['Fir', '', '(cut off; asking again)', '', 'First.'],
  ],
  [
    'a long thought',
    [{ type: 'thinking', delta: 'hm' }, { type: 'thinking', delta: 'hm' }, text('So.'), answered],
    ['thought for 2 s', '', 'So.'],
  ],
  [
    'two replies after each other',
    [text('One.'), { type: 'transition', to: 'steered' }, text('\n\nTwo.'), answered],
    ['One.', '', 'Two.'],
  ],
  ['a failure', [{ type: 'ended', end: { reason: 'failed', message: 'No key.' } }], ['error: No key.']],
])('%s', (_, events, rows) => {
  expect(told(...events).rows).toEqual(rows)
})

test('what belongs together stands together, other things apart', () => {
  const note = say(QUIET, 'note', [line('a')])
  expect(say(note.scene, 'note', [line('b')]).said).toHaveLength(1)
  expect(say(note.scene, 'person', [line('b')]).said).toHaveLength(2)
})

const VIEW: LiveView = {
  scene: QUIET,
  editor: EMPTY,
  placeholder: 'Say something',
  workingSince: undefined,
  doing: undefined,
  queue: [],
  background: [],
  question: undefined,
  menu: undefined,
  hint: undefined,
  standing: { model: 'm', window: 1_000, mode: 'ask', isPoor: false },
}

function live(view: Partial<LiveView>, columns: number, rows: number) {
  const laid = layOutLive({ ...VIEW, ...view }, columns, rows, 5_000)
  return { rows: laid.rows.map(textOfLine), cursor: laid.cursor }
}

test('below what was said: what goes on, what is asked, what is typed, how things stand', () => {
  const { scene } = told({ type: 'tool-started', call }, { type: 'tool-progress', call, text: 'one\ntwo' })
  const view = {
    scene: { ...scene, filled: 250, usd: 0.5 },
    queue: ['and\nthis'],
    menu: { items: [{ value: '/dream', note: 'dream' }], selected: 0 },
    editor: editorWith(EMPTY, '/d'),
  }
  expect(live(view, 30, 24)).toEqual({
    rows: [
      '⠙ bash npm test · 5 s',
      '  one',
      '  two',
      '⋯ and this',
      '',
      '─'.repeat(30),
      '› /d',
      '❯ /dream  dream',
      'm · 25 % of context · $0.50',
    ],
    cursor: { row: 6, column: 4 },
  })
  const question = { title: 'Allow bash?', choices: [{ label: 'Yes' }, { label: 'No' }], selected: 1 }
  expect(live({ question, workingSince: 0, placeholder: '' }, 30, 12).rows).toEqual([
    'Allow bash?',
    '  1. Yes',
    '❯ 2. No',
    '─'.repeat(30),
    '› ',
    'm',
  ])
})

test.each([
  [40, 10],
  [20, 4],
  [5, 2],
  [1, 1],
  [300, 100],
])('in %d columns and %d rows there is never more than fits, and the cursor is in it', (columns, rows) => {
  const { scene } = told(text('word '.repeat(2_000)))
  const question = {
    title: 'A long question? '.repeat(9),
    choices: [{ label: 'y' }, { label: 'n' }],
    selected: -1,
  }
  const editor = editorWith(EMPTY, 'typed '.repeat(200))
  for (const view of [
    { scene, editor },
    { scene, editor, question },
    { scene, workingSince: 0 },
  ]) {
    const laid = live(view, columns, rows)
    expect(laid.rows.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
    expect(laid.cursor.row).toBeLessThan(laid.rows.length)
  }
})
