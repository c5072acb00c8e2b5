import { expect, test } from 'vitest'
import { Questions } from './questions.ts'
import { type Line, textOfLine } from './style.ts'

function asked() {
  const said: string[] = []
  const say = (rows: readonly Line[]) => void said.push(...rows.map(textOfLine))
  const questions = new Questions({ width: () => 40, changed: () => {}, say })
  const typed = (text: string) => ({ isEmpty: text === '', take: () => text })
  const press = (...keys: string[]) => keys.map(key => questions.key(key, typed('')))
  return { questions, said, typed, press, signal: new AbortController().signal }
}

const BASH = { tool: 'bash', input: { command: 'rm x' }, reason: 'It removes.', suggestion: 'bash(rm:*)' }

test.each<[keys: string[], typed: string, answer: object]>([
  [['1'], '', { answer: 'once' }],
  [['down', 'down', 'enter'], '', { answer: 'session' }],
  [['3'], '', { answer: 'always' }],
  [['up', 'enter'], '', { answer: 'no' }],
  [['enter', 'enter'], 'use trash', { answer: 'no', reason: 'use trash' }],
])('%j and "%s" is %j', async (keys, text, answer) => {
  const { questions, said, typed, press, signal } = asked()
  const answered = questions.askPermission({ ...BASH, canAlways: true }, signal)
  press(...keys)
  if (text !== '') questions.key('enter', typed(text))
  expect(await answered).toEqual(answer)
  expect(said.slice(0, 3)).toEqual(['bash', '  rm x', 'It removes.'])
  expect(questions.open).toBeUndefined()
})

test('an Enter that was meant for something else says neither yes nor no; always is there only where it may be', () => {
  const { questions, press, signal } = asked()
  void questions.askPermission({ ...BASH, canAlways: false }, signal)
  expect(press('enter', '4', 'x')).toEqual([true, false, false])
  expect(questions.open?.choices.map(({ label }) => label)).toEqual([
    'Yes, once',
    'Yes, for this session',
    'No',
  ])
})

test('one question after the other; one that nobody needs any more goes', async () => {
  const { questions, typed, press, signal } = asked()
  const gone = new AbortController()
  const first = questions.ask({ question: 'Which?', options: ['red', 'blue'] }, gone.signal)
  const second = questions.ask({ question: 'Why?', options: [] }, signal)
  expect(questions.open?.choices).toHaveLength(2)
  gone.abort(new Error('interrupted'))
  await expect(first).rejects.toThrow('interrupted')
  expect(press('enter')).toEqual([true])
  questions.key('enter', typed('because'))
  expect(await second).toBe('because')
})
