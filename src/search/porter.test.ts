import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { stem } from './porter.ts'

const ROOTS =
  'relat hop hopp fil conform sens act tri fl agre troubl siz fall fail digit oper radic decis fe y sky happ di stat log geolog controll ro prob genera adjust a b xyz eye tow box say ay yy'.split(
    ' ',
  )
const SUFFIXES =
  's es ies sses ss ed eed ing y ational tional ency ancy izer logi logy bly ably ally ently ely ously ization ation ator alism iveness fulness ousness ality ivity bility ical ness icate icity ful ative alize al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate ous ive ize e l ll le at bl iz'.split(
    ' ',
  )

test('agrees with the porter tokenizer of FTS5 on every root with every two suffixes', () => {
  const words = new Set<string>()
  for (const root of ROOTS) {
    for (const first of SUFFIXES) {
      words.add(root + first)
      for (const second of SUFFIXES) words.add(root + first + second)
    }
  }
  const list = [...words]
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance'); BEGIN`)
  const insert = database.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)')
  list.forEach((word, at) => {
    insert.run(at + 1, word)
  })
  const rows = database.prepare('SELECT doc, term FROM v').all() as { doc: number; term: string }[]
  expect(rows).toHaveLength(list.length)
  const different = rows.filter(({ doc, term }) => stem(list[doc - 1] ?? '') !== term)
  expect(different).toEqual([])
})

test.each([
  ['indentation', 'indent'],
  ['indents', 'indent'],
  ['running', 'run'],
  ['happily', 'happili'],
  ['deployments', 'deploy'],
  ['as', 'as'],
  ['x'.repeat(70), 'x'.repeat(70)],
])('stems %s as %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})
