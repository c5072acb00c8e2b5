import { expect, test } from 'vitest'
import { turnDocument } from './turn-document.ts'

const turn = {
  id: 's:3',
  group: 's',
  order: 3,
  speaker: 'Ada',
  text: 'Vim.',
  at: new Date(2023, 4, 8, 13, 56),
}

test('a turn is searched by who said it, what was said, and the day', () => {
  expect(turnDocument(turn)).toEqual({
    id: 's:3',
    group: 's',
    order: 3,
    fields: { speaker: 'Ada', text: 'Vim.', date: '8 May, 2023' },
    prior: 1,
  })
})

test('what was shown with it is searched too, and is not what was asked', () => {
  const document = turnDocument({ ...turn, text: 'Look at this?', shown: '[image: a cat]' })
  expect(document).toMatchObject({ fields: { text: 'Look at this?\n[image: a cat]' }, prior: 0.8 })
})

test.each([
  ['Which editor?', undefined, 0.8],
  ['Which editor? \n', undefined, 0.8],
  ['Really? Yes.', undefined, 1],
  ['', undefined, 1],
  ['Which editor?', 0.5, 0.4],
  ['Vim.', 0.5, 0.5],
])('%j of weight %s has the prior %s', (text, weight, prior) => {
  expect(turnDocument({ ...turn, text, ...(weight !== undefined && { weight }) }).prior).toBeCloseTo(prior)
})

test('a time that is none has no day', () => {
  expect(turnDocument({ ...turn, at: new Date('yesterday') }).fields.date).toBe('')
})
