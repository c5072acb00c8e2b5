import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { findProgram } from './find-program.ts'

test('a program is found where it can be run, and never in the working directory', () => {
  const place = temporaryDirectory()
  writeFileSync(join(place, 'tool'), '')
  expect(findProgram('tool', place)).toBeUndefined()
  chmodSync(join(place, 'tool'), 0o755)
  expect(findProgram('tool', `/nowhere:${place}`)).toBe(join(place, 'tool'))
  expect(findProgram('tool', '.::')).toBeUndefined()
  expect(findProgram('tool', undefined)).toBeUndefined()
})

test('outside of a project: neither what lies in it, nor what leads there, nor what leads out of it', () => {
  const [root, other] = [temporaryDirectory(), temporaryDirectory()]
  mkdirSync(join(root, 'bin'))
  for (const place of [join(root, 'bin'), other]) writeFileSync(join(place, 'tool'), '', { mode: 0o755 })
  symlinkSync(join(root, 'bin', 'tool'), join(other, 'link'))
  symlinkSync(join(other, 'tool'), join(root, 'bin', 'out'))
  symlinkSync(join(root, 'bin'), join(other, 'directory'))
  const find = (name: string, ...places: string[]) => findProgram(name, places.join(':'), { outside: root })
  expect(find('tool', join(root, 'bin'), other)).toBe(join(other, 'tool'))
  expect(find('link', other)).toBeUndefined()
  expect(find('out', join(root, 'bin'))).toBeUndefined()
  expect(find('tool', join(other, 'directory'))).toBeUndefined()
})
