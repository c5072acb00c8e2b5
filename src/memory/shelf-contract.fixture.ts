import { expect, test } from 'vitest'
import { ChangedMeanwhile } from '../store/index.ts'
import { INDEX_FILE } from './name.ts'
import type { Shelf, StoredText } from './shelf.ts'

/** What every shelf must do, whatever keeps its texts. `open` gives two views of one fresh, empty shelf. */
export function shelfContract(open: () => Promise<[Shelf, Shelf]>): void {
  const stored = async (shelf: Shelf, file: string): Promise<StoredText> => {
    const found = await shelf.read(file)
    if (!found || !('text' in found)) throw new Error(`${file} is not there`)
    return found
  }
  const names = async (shelf: Shelf) =>
    (await shelf.list())
      .stamps()
      .map(({ file }) => file)
      .sort()

  test('is empty, and reading what is not there gives nothing', async () => {
    const [shelf] = await open()
    expect(await names(shelf)).toEqual([])
    expect(await shelf.read('user_a.md')).toBeUndefined()
    expect(await shelf.trashed()).toEqual([])
    expect(await shelf.interrupted()).toBeUndefined()
  })

  test('keeps texts as they are, and what one view writes the other reads', async () => {
    const [shelf, other] = await open()
    const text = '\uFEFF---\r\nname: 缩进\r\n---\r\n\ttext\n\n'
    await shelf.write('user_a.md', text, null)
    expect((await stored(other, 'user_a.md')).text).toBe(text)
    expect(await names(other)).toEqual(['user_a.md'])
  })

  test('writes only over the version that was read', async () => {
    const [shelf, other] = await open()
    await shelf.write('user_a.md', 'one', null)
    await expect(other.write('user_a.md', 'again', null)).rejects.toThrow(ChangedMeanwhile)
    const { version } = await stored(shelf, 'user_a.md')
    await other.write('user_a.md', 'two', version)
    await expect(shelf.write('user_a.md', 'three', version)).rejects.toThrow(ChangedMeanwhile)
    await expect(shelf.write('user_none.md', 'x', version)).rejects.toThrow(ChangedMeanwhile)
    expect((await stored(shelf, 'user_a.md')).text).toBe('two')
    expect(await names(shelf)).toEqual(['user_a.md'])
  })

  test('the digest and the stamps tell that something changed, the index included', async () => {
    const [shelf] = await open()
    const digests = new Set([(await shelf.list()).digest])
    const add = async () => digests.add((await shelf.list()).digest)
    await shelf.write('user_a.md', 'one', null)
    const [before] = (await shelf.list()).stamps()
    await add()
    await shelf.write('user_a.md', 'two', (await stored(shelf, 'user_a.md')).version)
    const [after] = (await shelf.list()).stamps()
    expect(after?.stamp).not.toBe(before?.stamp)
    await add()
    await shelf.write(INDEX_FILE, 'index', null)
    expect(await names(shelf)).toEqual(['user_a.md'])
    await add()
    await shelf.discard('user_a.md')
    await add()
    expect(digests.size).toBe(5)
    expect((await shelf.list()).digest).toBe((await shelf.list()).digest)
  })

  test('what is discarded can be recovered, as old as it was, or erased', async () => {
    const [shelf, other] = await open()
    await shelf.write('user_a.md', 'old', null)
    const { mtimeMs } = await stored(shelf, 'user_a.md')
    await shelf.discard('user_a.md')
    await shelf.write('user_a.md', 'new', null)
    await shelf.discard('user_a.md')
    const trashed = await other.trashed()
    expect(trashed.map(({ file }) => file)).toEqual(['user_a.md', 'user_a.md'])
    expect(trashed[0]?.at.getTime()).toBeGreaterThanOrEqual(trashed[1]?.at.getTime() ?? Number.NaN)
    const [newer, older] = trashed
    if (!newer || !older) throw new Error('two copies were discarded')
    await other.recover(older)
    expect(await stored(shelf, 'user_a.md')).toMatchObject({ text: 'old', mtimeMs })
    await expect(shelf.recover(newer)).rejects.toThrow(ChangedMeanwhile)
    await shelf.erase([newer])
    expect(await shelf.trashed()).toEqual([])
  })

  test('a text that is set aside is kept', async () => {
    const [shelf] = await open()
    expect(await shelf.setAside('user_a.md', 'ours')).not.toBe('')
    const [kept] = await shelf.trashed()
    if (!kept) throw new Error('nothing was kept')
    await shelf.recover(kept)
    expect((await stored(shelf, 'user_a.md')).text).toBe('ours')
  })

  test('is held by one at a time', async () => {
    const [shelf, other] = await open()
    let [inside, most] = [0, 0]
    const enter = async () => {
      most = Math.max(most, ++inside)
      await new Promise(setImmediate)
      inside--
    }
    await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? shelf : other).exclusively(enter)))
    expect(most).toBe(1)
    await expect(shelf.exclusively(() => Promise.reject(new Error('inside')))).rejects.toThrow('inside')
    expect(await other.exclusively(async () => 'free again')).toBe('free again')
  })

  test('tells of changes that another view makes', async () => {
    const [shelf, other] = await open()
    const seen: string[] = []
    await other.write('user_a.md', 'one', null)
    await using _ = await shelf.watch(changes =>
      seen.push(...changes.map(({ file, kind }) => `${kind} ${file}`)),
    )
    await other.write('user_b.md', 'one', null)
    await other.discard('user_a.md')
    await expect
      .poll(() => seen.toSorted(), { timeout: 30_000 })
      .toEqual(['added user_b.md', 'removed user_a.md'])
  })

  test('refuses names that are no plain file names, and gives each file its path in the journal', async () => {
    const [shelf] = await open()
    for (const file of ['../a.md', 'a/b.md', '', 'a\0.md']) {
      await expect(shelf.write(file, 'x', null), file).rejects.toThrow('cannot be used as a file name')
      await expect(shelf.read(file), file).rejects.toThrow('cannot be used as a file name')
      await expect(shelf.discard(file), file).rejects.toThrow('cannot be used as a file name')
    }
    expect(shelf.journalPath('user_a.md').endsWith('/user_a.md')).toBe(true)
  })
}
