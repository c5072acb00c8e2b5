import { expect, test } from 'vitest'
import { decodedPath, encodedPath, likelyPath } from './project-directory.ts'

/** A file system that holds just these directories. */
function listing(...paths: string[]) {
  return async (directory: string) => {
    const prefix = directory === '/' ? '/' : `${directory}/`
    const below = paths
      .filter(path => path.startsWith(prefix))
      .map(path => path.slice(prefix.length).split('/')[0] ?? '')
    return [...new Set(below)]
  }
}

test.each<[path: string, others: string[], found: string | undefined]>([
  ['/home/me/my-app', [], '/home/me/my-app'],
  ['/home/me/my/app', ['/home/me/my-apple'], '/home/me/my/app'],
  ['/home/me/.config/a_b', [], '/home/me/.config/a_b'],
  ['/home/me/my-app', ['/home/me/my/app'], undefined],
])('%s', async (path, others, found) => {
  expect(await decodedPath(encodedPath(path), listing(path, ...others))).toBe(found)
})

test('what is not there, or no path, is not found; the search ends', async () => {
  expect(await decodedPath('-nowhere-at-all', listing('/home/me'))).toBeUndefined()
  expect(await decodedPath('nothing', listing('/home/me'))).toBeUndefined()
  expect(await decodedPath(`-${'a-'.repeat(100)}`, async () => ['a', 'a-a', 'a-a-a'])).toBeUndefined()
  expect(likelyPath('-home-me-app')).toBe('/home/me/app')
})
