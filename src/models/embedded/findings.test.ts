import { expect, test } from 'vitest'
import { clearlyMeant, type Finding, findingsIn, putRightBy, relevant } from './findings.ts'
import type { Statement } from './statement.ts'
import { statementsIn } from './statements.ts'
import { tellingWords } from './words.ts'

function memory(name: string, body = name, type = 'user'): Finding {
  const file = `${type}_${name.toLowerCase().replaceAll(/\W+/g, '-')}.md`
  return {
    file,
    name,
    type,
    body,
    description: '',
    snippet: '',
    note: 'saved today',
    ageDays: 0,
    origin: 'owner',
  }
}

const MEMORIES = [
  memory('Prefers tabs for indentation'),
  memory('Name', 'my name is Bob'),
  memory('Lives in Munich'),
  memory('Works at Acme'),
  memory('Uses vim'),
  memory('Likes coffee'),
  memory('Uses pnpm, not npm', 'we use pnpm, not npm', 'project'),
  memory('Deadline', 'the deadline is 2026-12-01', 'project'),
  memory('偏好单引号', '我喜欢单引号'),
]

/** Said later, and the memory that it puts right. */
const CORRECTIONS: Array<[said: string, name: string | undefined]> = [
  ['no, I use spaces now, not tabs', 'Prefers tabs for indentation'],
  ['其实我用空格', 'Prefers tabs for indentation'],
  ['actually my name is Ann', 'Name'],
  ['I moved to Berlin', 'Lives in Munich'],
  ['我搬到上海了', 'Lives in Munich'],
  ['I switched to Neovim', 'Uses vim'],
  ['I no longer use vim', 'Uses vim'],
  ['I left Acme', 'Works at Acme'],
  ['we switched to Bun', 'Uses pnpm, not npm'],
  ['the deadline was moved to 2026-12-15', 'Deadline'],
  ['其实我喜欢双引号', '偏好单引号'],
  ['actually, I prefer dark mode', undefined],
  ['No, I like tea', undefined],
  ['we no longer use Redis', undefined],
  ["I don't eat meat anymore", undefined],
]

test.each(CORRECTIONS)('%j puts right %j', (said, name) => {
  const [statement] = statementsIn(said, new Date())
  expect(statement?.kind).toBe('correction')
  expect(putRightBy(statement as Statement, MEMORIES)?.name).toBe(name)
})

test('a correction never reaches into a memory of another type', () => {
  const [statement] = statementsIn('the deadline was moved to 2026-12-15', new Date())
  expect(
    putRightBy(statement as Statement, [memory('Lives in Munich'), memory('Moved house')]),
  ).toBeUndefined()
})

test('which memory is meant is clear, or it is not', () => {
  const about = (text: string, among: Finding[]) => clearlyMeant(relevant(tellingWords(text), among))?.name
  const [tabs] = MEMORIES
  const tabSize = memory('Tab size is 4', 'tabs are 4 wide')
  expect(about('tabs', MEMORIES)).toBe('Prefers tabs for indentation')
  expect(about('tabs', [tabs as Finding, tabSize])).toBeUndefined()
  expect(about('kafka', MEMORIES)).toBeUndefined()
})

test('what is no memory is passed over, whatever it is', () => {
  const good = { file: 'a.md', name: 'A', ageDays: 3 }
  expect(findingsIn([good, good, null, 1, 'x', {}, { file: 5 }, []])).toEqual([
    { ...good, type: '', description: '', body: '', snippet: '', note: '', origin: 'owner' },
  ])
  for (const value of [undefined, null, 'x', {}, 4]) expect(findingsIn(value)).toEqual([])
})
