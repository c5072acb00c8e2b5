import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UnsafePath } from '../store/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { FileShelf } from './file-shelf.ts'
import { shelfContract } from './shelf-contract.fixture.ts'

const shelfAt = (root: string) =>
  new FileShelf({
    scope: 'project',
    directory: join(root, 'memory'),
    trash: join(root, 'trash'),
    state: join(root, 'state'),
    journalPrefix: 'memory',
  })

describe('a shelf of files', () => {
  shelfContract(async () => {
    const root = temporaryDirectory()
    return [shelfAt(root), shelfAt(root)]
  })
})

test('links inside the directory are followed; links out of it are neither read nor written', async () => {
  const root = temporaryDirectory()
  const shelf = shelfAt(root)
  await shelf.write('user_real.md', 'inside', null)
  fs.writeFileSync(join(root, 'secret.md'), 'outside')
  fs.symlinkSync('user_real.md', join(root, 'memory', 'user_alias.md'))
  fs.symlinkSync('../secret.md', join(root, 'memory', 'user_out.md'))
  expect(await shelf.read('user_alias.md')).toMatchObject({ text: 'inside' })
  expect(await shelf.read('user_out.md')).toMatchObject({ kind: 'symlink-out' })
  await expect(shelf.write('user_out.md', 'x', 'any')).rejects.toThrow(UnsafePath)
  expect(fs.readFileSync(join(root, 'secret.md'), 'utf8')).toBe('outside')
})

test('what is no text, too large or no file is unreadable, not a crash', async () => {
  const root = temporaryDirectory()
  const shelf = shelfAt(root)
  fs.mkdirSync(join(root, 'memory', 'user_directory.md'), { recursive: true })
  fs.writeFileSync(join(root, 'memory', 'user_bytes.md'), Buffer.from([0xff, 0xfe, 0x00]))
  fs.writeFileSync(join(root, 'memory', 'user_large.md'), Buffer.alloc(5 * 2 ** 20, 'x'))
  for (const file of ['user_directory.md', 'user_bytes.md', 'user_large.md'])
    expect(await shelf.read(file), file).toMatchObject({ kind: 'unreadable' })
  expect(
    (await shelf.list())
      .stamps()
      .map(({ file }) => file)
      .sort(),
  ).toEqual(['user_bytes.md', 'user_large.md'])
})
