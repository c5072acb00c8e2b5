import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ChangedMeanwhile,
  contentHash,
  type FileLayer,
  makeFirstMissing,
  sweepTemporaries,
  WriteFailed,
  writeFileAtomic,
} from './atomic-file.ts'
import { UnsafePath } from './paths.ts'
import { temporaryDirectory } from './temporary-directory.fixture.ts'

/** Passes every call on to the real file system and writes down its order; may fail at one of them. */
function recordingLayer(failAt?: string): { layer: FileLayer; calls: string[] } {
  const calls: string[] = []
  const note = (call: string) => {
    calls.push(call)
    if (call === failAt) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  const layer: FileLayer = {
    ...fs,
    async open(path: string, flags?: string | number, mode?: number) {
      const file = await fs.open(path, flags, mode)
      const what = (await file.stat()).isDirectory() ? 'directory' : 'file'
      note(`open ${what}`)
      const { sync, writeFile } = file
      file.writeFile = async (...args: Parameters<typeof writeFile>) => {
        note('write')
        return writeFile.apply(file, args)
      }
      file.sync = async () => {
        note(`sync ${what}`)
        return sync.apply(file)
      }
      return file
    },
    async rename(from, to) {
      note('rename')
      return fs.rename(from, to)
    },
    async link(from, to) {
      note('link')
      return fs.link(from, to)
    },
  } as FileLayer
  return { layer, calls }
}

test('creates a private file and replaces it, keeping the mode it had', async () => {
  const file = join(temporaryDirectory(), 'a.md')
  await writeFileAtomic(file, 'one')
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
  await fs.chmod(file, 0o644)
  await writeFileAtomic(file, 'two')
  expect(await fs.readFile(file, 'utf8')).toBe('two')
  expect((await fs.stat(file)).mode & 0o777).toBe(0o644)
})

test('writes, syncs the file, renames, then syncs the directory, in that order', async () => {
  const { layer, calls } = recordingLayer()
  await writeFileAtomic(join(temporaryDirectory(), 'a.md'), 'one', { layer })
  expect(calls).toEqual(['open file', 'write', 'sync file', 'rename', 'open directory', 'sync directory'])
})

test.each(['write', 'sync file', 'rename'])(
  'a disk that fills up at "%s" leaves the old content and no leftovers',
  async step => {
    const directory = temporaryDirectory()
    const file = join(directory, 'a.md')
    await writeFileAtomic(file, 'old')
    const { layer } = recordingLayer(step)
    await expect(writeFileAtomic(file, 'new', { layer })).rejects.toThrow(WriteFailed)
    await expect(writeFileAtomic(file, 'new', { layer })).rejects.toThrow('the disk is full')
    expect(await fs.readFile(file, 'utf8')).toBe('old')
    expect(await fs.readdir(directory)).toEqual(['a.md'])
  },
)

test('when only the sync of the directory fails, the message does not say that nothing changed', async () => {
  const file = join(temporaryDirectory(), 'a.md')
  await writeFileAtomic(file, 'old')
  const { layer } = recordingLayer('sync directory')
  await expect(writeFileAtomic(file, 'new', { layer })).rejects.toThrow('The new content is there')
  expect(await fs.readFile(file, 'utf8')).toBe('new')
})

test('a file that somebody else changed or created in between is not overwritten', async () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'a.md')
  await writeFileAtomic(file, 'one', { expected: null })
  await expect(writeFileAtomic(file, 'again', { expected: null })).rejects.toThrow(ChangedMeanwhile)
  await writeFileAtomic(file, 'two', { expected: contentHash('one') })
  await fs.writeFile(file, 'by hand')
  await expect(writeFileAtomic(file, 'three', { expected: contentHash('two') })).rejects.toThrow(
    ChangedMeanwhile,
  )
  await fs.unlink(file)
  await expect(writeFileAtomic(file, 'three', { expected: contentHash('two') })).rejects.toThrow(
    ChangedMeanwhile,
  )
  expect(await fs.readdir(directory)).toEqual([])
})

test('without hard links a new file is still written, and an existing one still refused', async () => {
  const file = join(temporaryDirectory(), 'a.md')
  const layer: FileLayer = {
    ...fs,
    link: async () => {
      throw Object.assign(new Error('no links here'), { code: 'ENOTSUP' })
    },
  }
  await writeFileAtomic(file, 'one', { expected: null, layer })
  await expect(writeFileAtomic(file, 'two', { expected: null, layer })).rejects.toThrow(ChangedMeanwhile)
  expect(await fs.readFile(file, 'utf8')).toBe('one')
})

test('follows a link inside the root, and refuses one that leaves it', async () => {
  const directory = temporaryDirectory()
  const [root, outside] = [join(directory, 'root'), join(directory, 'outside')]
  await fs.mkdir(root)
  await fs.mkdir(outside)
  await fs.writeFile(join(root, 'real.md'), 'old')
  await fs.symlink('real.md', join(root, 'inner.md'))
  await writeFileAtomic(join(root, 'inner.md'), 'new', { root })
  expect(await fs.readFile(join(root, 'real.md'), 'utf8')).toBe('new')
  expect((await fs.lstat(join(root, 'inner.md'))).isSymbolicLink()).toBe(true)

  await fs.writeFile(join(outside, 'victim'), 'precious')
  await fs.symlink(join(outside, 'victim'), join(root, 'file-link.md'))
  await fs.symlink(outside, join(root, 'directory-link'))
  for (const way of ['file-link.md', 'directory-link/victim', 'directory-link/fresh', '../outside/fresh'])
    await expect(writeFileAtomic(join(root, way), 'x', { root })).rejects.toThrow(UnsafePath)
  expect(await fs.readFile(join(outside, 'victim'), 'utf8')).toBe('precious')
  expect(await fs.readdir(outside)).toEqual(['victim'])
})

test('of directories that cannot be made the first that is missing is, and tells why where it cannot be', async () => {
  const directory = temporaryDirectory()
  makeFirstMissing(join(directory, 'a', 'b', 'c'))
  expect(await fs.readdir(directory, { recursive: true })).toEqual(['a'])
  await fs.writeFile(join(directory, 'file'), '')
  expect(() => makeFirstMissing(join(directory, 'file', 'b', 'c'))).toThrow(/ENOTDIR/)
})

test('sweeps old leftovers of its own, and nothing else', async () => {
  const directory = temporaryDirectory()
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const [stale, young, foreign] = ['.reverie-00112233445566ff.tmp', '.reverie-ff112233445566ff.tmp', '.x.tmp']
  for (const name of [stale, young, foreign]) await fs.writeFile(join(directory, name), '')
  for (const name of [stale, foreign]) await fs.utimes(join(directory, name), old, old)
  expect(await sweepTemporaries(directory)).toEqual([stale])
  expect((await fs.readdir(directory)).sort()).toEqual([young, foreign].sort())
})
