import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { reverie } from './reverie.fixture.ts'

test('what was proposed is listed as that, read, and accepted; what is wrong is told beside the list', () => {
  const home = temporaryDirectory()
  const write = (name: string, text: string) => {
    mkdirSync(join(home, 'skills', name), { recursive: true })
    writeFileSync(join(home, 'skills', name, 'SKILL.md'), text)
  }
  write('notes', '---\nname: notes\ndescription: Release notes\nenabled: false\n---\nBegin with a verb.\n')
  write('broken', 'no head')
  const list = () => reverie(['skills', 'list', '--json'], { home })
  const found = () =>
    (JSON.parse(list().stdout) as Array<{ name: string }>).find(({ name }) => name === 'notes')
  expect(list().stderr).toContain('broken/SKILL.md: it does not begin with frontmatter')
  expect(found()).toMatchObject({ source: 'owner', status: 'proposed', description: 'Release notes' })
  expect(reverie(['skills', 'show', 'notes'], { home }).stdout).toContain('reverie skills enable notes')
  expect(reverie(['skills', 'enable', 'notes'], { home })).toMatchObject({
    code: 0,
    stdout: 'notes can be used.\n',
  })
  expect(found()).toMatchObject({ status: 'ready', reason: null })
  expect(reverie(['skills', 'show', 'none'], { home })).toMatchObject({ code: 1 })
})
