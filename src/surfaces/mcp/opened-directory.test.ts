import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { openedDirectory } from './opened-directory.ts'

test('the directory that is open in an editor, in each form in which it may be said', () => {
  const [one, other] = ['a, b', 'c'].map(name => join(temporaryDirectory(), name))
  mkdirSync(one ?? '')
  mkdirSync(other ?? '')
  const said = (text: string) => openedDirectory({ WORKSPACE_FOLDER_PATHS: text })
  expect(openedDirectory({})).toBeUndefined()
  expect(said(`${one}`)).toBe(one)
  expect(said(JSON.stringify([one, other]))).toBe(one)
  expect(said(`/gone,${other}`)).toBe(other)
  expect(said(`${other}${delimiter}/gone`)).toBe(other)
  for (const text of ['', 'relative', '/gone', '{}', '[7]']) expect(said(text)).toBeUndefined()
})
