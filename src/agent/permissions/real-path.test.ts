import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { makeFiles } from './permissions.fixture.ts'
import { EndlessLinks, realPath } from './real-path.ts'

function setUp() {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, [
    ...[
      'in/src/a.ts',
      'out/deep/file',
      'in/link -> ../out/deep',
      'in/dangling -> ../out/new',
      'in/chain -> link',
    ],
    ...[
      'in/round -> circle',
      'in/circle -> round',
      `in/absolute -> ${root}/out`,
      'in/self -> /proc/self/root',
    ],
  ])
  return { root, real: (path: string) => realPath(join(root, 'in'), path).replace(`${root}/`, '') }
}

test.each([
  ['src/a.ts', 'in/src/a.ts'],
  ['./src/../src/a.ts', 'in/src/a.ts'],
  ['new/deep/file', 'in/new/deep/file'],
  ['../out/deep/file', 'out/deep/file'],
  ['link/file', 'out/deep/file'],
  ['chain/new', 'out/deep/new'],
  ['link/..', 'out'],
  ['link/../../in/src', 'in/src'],
  ['absolute/deep', 'out/deep'],
  ['dangling', 'out/new'],
  ['dangling/below', 'out/new/below'],
  ['new/../src', 'in/src'],
  ['src/a.ts/../..', 'in'],
  ['/proc/self/root/etc', '/proc/self/root/etc'],
  ['/proc/self/cwd/../x', '/proc/self/cwd/x'],
  ['self/etc/passwd', '/proc/self/root'],
  ['//etc///hosts', '/etc/hosts'],
])('%s is %s', (path, real) => {
  expect(setUp().real(path)).toBe(real)
})

test('agrees with the system about what exists', () => {
  const { root } = setUp()
  for (const path of ['src/a.ts', 'link/file', 'chain/../deep', 'absolute/deep/../../in'])
    expect(realPath(join(root, 'in'), path)).toBe(fs.realpathSync.native(`${root}/in/${path}`))
})

test('a circle of links is told', () => {
  expect(() => setUp().real('round/x')).toThrow(EndlessLinks)
})
