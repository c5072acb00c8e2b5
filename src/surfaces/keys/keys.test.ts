import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Keys } from './keys.ts'

test('a key lets in until it is revoked, also where it was read before', async () => {
  const home = homeAt(temporaryDirectory())
  const [mine, servers] = [new Keys(home), new Keys(home)]
  expect(servers.verify('anything')).toBeUndefined()
  const { key, id } = await mine.create(' phone ')
  expect(servers.verify(key)).toMatchObject({ id, name: 'phone' })
  expect(servers.verify(`${key}x`)).toBeUndefined()
  expect(servers.verify(key.replace(/.$/, last => (last === 'A' ? 'B' : 'A')))).toBeUndefined()
  await mine.revoke(id)
  expect(servers.verify(key)).toBeUndefined()
  await expect(mine.revoke(id)).rejects.toThrow('no key')
})

test('what is kept is private and does not hold the key', async () => {
  const home = homeAt(temporaryDirectory())
  const { key } = await new Keys(home).create('phone')
  const file = join(home.path, 'keys.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(key.slice(13))
})

test('keys made at the same time are all there', async () => {
  const home = homeAt(temporaryDirectory())
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => new Keys(home).create(`key ${at}`)))
  const keys = new Keys(home)
  expect(made.every(({ key }) => keys.verify(key))).toBe(true)
})

test('a damaged file lets nobody in and is not overwritten', async () => {
  const home = homeAt(temporaryDirectory())
  const keys = new Keys(home)
  const { key } = await keys.create('phone')
  const file = join(home.path, 'keys.json')
  writeFileSync(file, '{"keys":[{"id":1}]}')
  expect(() => keys.verify(key)).toThrow('cannot be used')
  await expect(keys.create('other')).rejects.toThrow('cannot be used')
  expect(readFileSync(file, 'utf8')).toBe('{"keys":[{"id":1}]}')
})

test.each(['', '  ', 'two\nlines', 'x'.repeat(101)])('%j is no name', async name => {
  await expect(new Keys(homeAt(temporaryDirectory())).create(name)).rejects.toThrow('named with')
})
