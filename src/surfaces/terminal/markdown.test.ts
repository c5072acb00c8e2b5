import { expect, test } from 'vitest'
import { displayWidth } from '../text/width.ts'
import { markdownLines } from './markdown.ts'
import { feed, finish, type MarkdownStream, NEW_STREAM, preview } from './markdown-stream.ts'
import { type Line, paint, textOfLine } from './style.ts'

const texts = (rows: readonly Line[]) => rows.map(row => textOfLine(row).trimEnd())

test.each<[what: string, markdown: string, shown: string[]]>([
  ['headings', '# One\n## Two', ['One', '', 'Two']],
  ['a paragraph in its lines', 'one **two**\nthree', ['one two', 'three']],
  ['words that are too long', 'abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnopqrst', 'uvwxyz']],
  ['text without spaces', '制表符缩进是我喜欢的方式', ['制表符缩进是我喜欢的', '方式']],
  [
    'lists',
    '- a\n- b\n  - c is nested in it\n\n  more',
    ['• a', '• b', '  • c is nested in', '    it', '  more'],
  ],
  ['numbers', '9. a\n10. b', [' 9. a', '10. b']],
  ['things to do', '- [ ] a\n- [x] b', ['☐ a', '☑ b']],
  ['a quote', '> a\n>\n> b', ['│ a', '│', '│ b']],
  ['code, unbroken', '```js\nconst aVeryLongName = 1\n```', ['  const aVeryLongName = 1']],
  ['links', '[here](http://x.y) <http://z>', ['here (http://x.y)', 'http://z']],
  ['entities', '&lt;b&gt; &amp; `&lt;`', ['<b> & &lt;']],
  ['a table', '| a | b |\n|---|--:|\n| x | 1 |', ['a │ b', '──┼──', 'x │ 1']],
  [
    'a table that has to break its cells',
    '| name | what it is for |\n|---|---|\n| first | a long explanation |',
    ['name  │ what it is', '      │ for', '──────┼─────────────', 'first │ a long', '      │ explanation'],
  ],
  [
    'a table that cannot fit',
    '| a | b | c | d |\n|-|-|-|-|\n| aaaaaaa | bbbbbbb | ccccccc | ddddddd |',
    ['a: aaaaaaa', 'b: bbbbbbb', 'c: ccccccc', 'd: ddddddd'],
  ],
  ['html, as it is', '<div>x</div>', ['<div>x</div>']],
])('%s', (_, markdown, shown) => {
  expect(texts(markdownLines(markdown, 20))).toEqual(shown)
})

const LONG = `# A heading

A paragraph with **bold**, \`code\` and a [link](http://127.0.0.1/x) that is long enough to be broken.

1. first

   with a second paragraph
2. second
   - nested
   - more

\`\`\`ts
/* a comment
   of two lines */
const text = "x" // why

\`\`\`

| a | b |
|---|---|
| 1 | 制表 |

> quoted

Setext
======

The end`

test.each([1, 3, 7, 1000])('streamed in pieces of %d it becomes the same', size => {
  let stream: MarkdownStream = NEW_STREAM
  const rows: Line[] = []
  for (let at = 0; at < LONG.length; at += size) {
    const next = feed(stream, LONG.slice(at, at + size), 40)
    rows.push(...next.done)
    stream = next.stream
    preview(stream, 40)
  }
  rows.push(...finish(stream, 40).done)
  expect(texts(rows)).toEqual(texts(markdownLines(LONG, 40)))
})

test('what has ended is given out while the rest comes: code by lines, lists by items', () => {
  const code = feed(NEW_STREAM, 'Look:\n\n```py\nprint(1)\nprint(', 40)
  expect(texts(code.done)).toEqual(['Look:', '', '  print(1)'])
  expect(texts(preview(code.stream, 40))).toEqual(['  print('])
  const list = feed(NEW_STREAM, '- a\n- b\n- c\n- d', 40)
  expect(texts(list.done)).toEqual(['• a', '• b'])
  expect(texts(preview(list.stream, 40))).toEqual(['• c', '• d'])
})

test('a paragraph without an end is given out by lines, and costs what its lines cost', () => {
  let stream: MarkdownStream = NEW_STREAM
  const rows: Line[] = []
  for (let at = 0; at < 10_000; at += 50) {
    const text = Array.from({ length: 50 }, (_, more) => `line ${at + more}\n`).join('')
    const next = feed(stream, text, 40)
    stream = next.stream
    rows.push(...next.done)
    expect(stream.rest.length).toBeLessThan(10_000)
  }
  rows.push(...finish(stream, 40).done)
  expect(texts(rows)).toEqual(Array.from({ length: 10_000 }, (_, at) => `line ${at}`))
})

test('nothing is wider than there is room, but code', () => {
  const text = LONG.replaceAll(/```[\s\S]*?```/g, '')
  for (const width of [10, 20, 80])
    for (const row of markdownLines(text, width))
      expect(displayWidth(textOfLine(row))).toBeLessThanOrEqual(width)
})

test('what would steer the terminal is shown, not obeyed', () => {
  const evil =
    '\u001b]0;title\u0007 **\u001b[31mred** `\u009b1A`\n\n```\n\u001b[2J\n```\n\n| \u202ea |\n|-|\n| \r |'
  for (const row of markdownLines(evil, 40)) {
    expect(paint(row, false)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(paint(row, true).replaceAll(/\u001b\[[\d;]*m/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  }
})

test('code is coloured lightly, also from one line to the next', () => {
  const rows = markdownLines('```ts\n/* a\nb */ return "x" // c\n```\n\n```diff\n+a\n```', 40)
  expect(rows.map(row => paint(row, true))).toEqual([
    '  \u001b[2m/* a\u001b[0m',
    '  \u001b[2mb */\u001b[0m \u001b[35mreturn\u001b[0m \u001b[32m"x"\u001b[0m \u001b[2m// c\u001b[0m',
    '',
    '  \u001b[32m+a\u001b[0m',
  ])
})

test.each([
  ['quotes', '>'.repeat(3_000)],
  ['emphasis', '*a **b '.repeat(3_000)],
  ['lists', Array.from({ length: 100 }, (_, at) => `${' '.repeat(2 * at)}- x`).join('\n')],
])('%s that are nested without end stand as they were written, also while they come', (_, markdown) => {
  let stream = NEW_STREAM
  const done: Line[] = []
  for (let at = 0; at < markdown.length; at += 40_000) {
    const fed = feed(stream, markdown.slice(at, at + 40_000), 80)
    preview(fed.stream, 80)
    stream = fed.stream
    done.push(...fed.done)
  }
  const all = texts([...done, ...finish(stream, 80).done]).join('')
  expect(texts(markdownLines(`# One\n\n${markdown}\n\n**two**`, 80))).toEqual(
    expect.arrayContaining(['One', 'two']),
  )
  expect(all.replaceAll(/\s/g, '')).toBe(markdown.replaceAll(/\s/g, ''))
})
