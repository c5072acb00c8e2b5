import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectSlug } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Places } from './places.ts'

test('by the directory that something is about', () => {
  const root = temporaryDirectory()
  const [here, app] = [join(root, 'here'), join(root, 'app')]
  mkdirSync(join(app, '.git'), { recursive: true })
  mkdirSync(join(app, 'src'))
  const current = { root: here, slug: 'here-1' }
  const places = new Places({ current, isChosen: false })
  const appProject = { root: app, slug: projectSlug(app) }
  expect(places.of(join(app, 'src'), new Set())).toEqual(appProject)
  expect(places.of(undefined, new Set())).toEqual(current)
  const gone = { root: '/gone/a', slug: projectSlug('/gone/a') }
  expect(places.of('/gone/a', new Set(['/gone/a', '/gone/b']))).toEqual(gone)
  expect(places.of('/gone/a', new Set(['/gone/a', app]))).toEqual(gone)
  expect(places.of('/gone/a', new Set(['/gone/a']))).toEqual({ ...current, isElsewhere: true })
  for (const odd of ['../../x', '', 'relative', '/x\u0000y'])
    expect(places.of(odd, new Set([odd]))).toEqual(current)
  expect(new Places({ current, isChosen: true }).of(app, new Set([app]))).toEqual(current)
})
