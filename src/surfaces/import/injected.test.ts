import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tellApart } from './injected.ts'

const MARKS = {
  tags: ['note', 'a b'],
  messages: ['news'],
  beginnings: ['Caveat:', /^\d+ agents ended\./],
  preface: { begins: '# Open:', ends: '## Asked:' },
  appended: ['--- Files ---', '--- More ---'],
}

test.each<[text: string, said: string, injected: string[]]>([
  ['Hello', 'Hello', []],
  ['<note>x</note>', '', ['<note>x</note>']],
  ['Fix <note>x</note>this<note n="1">y</note>', 'Fix this', ['<note>x</note>', '<note n="1">y</note>']],
  ['<a b>x</a b>Hi', 'Hi', ['<a b>x</a b>']],
  ['<note>cut off', '', ['<note>cut off']],
  ['How do I write <note> in HTML?', 'How do I write <note> in HTML?', []],
  ['<notes>mine</notes> 1 < 2', '<notes>mine</notes> 1 < 2', []],
  ['  Caveat: not you', '', ['Caveat: not you']],
  ['3 agents ended. Say so.', '', ['3 agents ended. Say so.']],
  [' <news from="a">x</news>\nand more of it', '', ['<news from="a">x</news>\nand more of it']],
  ['What is <news>x</news>?', 'What is <news>x</news>?', []],
  ['# Open:\n- a.ts\n## Asked:\nFix <note>x</note>it', 'Fix it', ['# Open:\n- a.ts', '<note>x</note>']],
  [
    'Why?\n--- Files ---\nI am <note>x\n--- End ---\nMe',
    'Why?',
    ['--- Files ---\nI am <note>x\n--- End ---\nMe'],
  ],
  ['A\n--- More ---\nb\n--- Files ---\nc', 'A', ['--- More ---\nb\n--- Files ---\nc']],
  ['--- Files ---\nx', '', ['--- Files ---\nx']],
  ['What is --- Files --- here?', 'What is --- Files --- here?', []],
  ['# Open: nothing was asked', '# Open: nothing was asked', []],
])('%s', (text, said, injected) => {
  expect(tellApart(text, MARKS)).toEqual({ said, injected })
})

test('nothing is lost, and a text full of openings takes no time', () => {
  const pieces = fc.array(fc.constantFrom('<note>', '</note>', '<a b>', '</a b>', 'x', ' ', '<', '>'))
  fc.assert(
    fc.property(pieces, words => {
      const text = words.join('')
      const { said, injected } = tellApart(text, MARKS)
      const count = (of: string) => of.split('x').length
      expect(count(said + injected.join(''))).toBe(count(text))
    }),
  )
  const started = performance.now()
  tellApart(`x${'<note>'.repeat(200_000)}`, MARKS)
  expect(performance.now() - started).toBeLessThan(20_000) // what is not linear takes minutes
})
