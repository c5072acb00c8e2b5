import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ChangedMeanwhile } from '../store/index.ts'
import { everyObject } from '../store/journal/every-object.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { AmbiguousMemory, NoSuchMemory } from './find.ts'
import { DAY_MS, draft, freshMemory } from './memory.fixture.ts'

const read = (directory: string, file: string) => fs.readFileSync(join(directory, file), 'utf8')

test('forgetting moves to the trash, restoring brings it back as old as it was', async () => {
  const { memory, directory, clock } = await freshMemory()
  const { file } = await memory.save(draft('Old job'))
  clock.now = new Date(clock.now.getTime() + 5 * DAY_MS)
  await memory.forget(file)
  expect(fs.existsSync(join(directory, file))).toBe(false)
  expect(read(directory, 'MEMORY.md')).not.toContain(file)
  expect(fs.readdirSync(join(directory, '..', 'trash'))).toHaveLength(1)
  expect(await memory.recall('old job')).toEqual([])
  await expect(memory.get(file)).rejects.toThrow(NoSuchMemory)
  await memory.restore(file)
  expect(await memory.get(file)).toMatchObject({ ageDays: 5, body: 'All about Old job.' })
  expect(read(directory, 'MEMORY.md')).toContain(file)
  await expect(memory.restore(file)).rejects.toThrow(NoSuchMemory)
  await memory.forget(file)
  await memory.save(draft('Old job', { body: 'another one' }))
  await expect(memory.restore(file)).rejects.toThrow(ChangedMeanwhile)
  expect(await memory.doctor()).toMatchObject({ ok: true })
})

test('what was forgotten over 30 days ago leaves the trash with the next one', async () => {
  const { memory, directory, clock } = await freshMemory()
  const trash = join(directory, '..', 'trash')
  await memory.save(draft('One'))
  await memory.save(draft('Two'))
  await memory.forget('user_one.md')
  clock.now = new Date(Date.now() + 31 * DAY_MS)
  await memory.forget('user_two.md')
  expect(fs.readdirSync(trash).map(name => name.split('~')[1])).toEqual(['user_two.md'])
})

test('purging removes every trace: file, trash, journal, index and catalogue', async () => {
  const { memory, directory, root } = await freshMemory()
  await memory.save(draft('Keep me'))
  const { file } = await memory.save(draft('Zanzibar', { body: 'The zanzibar plan.' }))
  await memory.save(draft('Zanzibar', { body: 'The zanzibar plan, again.' }))
  await memory.recall('zanzibar')
  await memory.forget(file)
  await memory.restore(file)
  fs.writeFileSync(join(directory, '.reverie-00112233445566ff.tmp'), 'zanzibar')
  await memory.forget(file, { purge: true })
  expect(await memory.history(file)).toEqual([])
  expect(fs.readdirSync(join(directory, '..', 'trash'))).toEqual([])
  expect((await memory.history('user_keep-me.md')).length).toBeGreaterThan(0)
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('objects')) continue
    expect(
      fs.readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase(),
      entry.name,
    ).not.toContain('zanzibar')
  }
  for (const { bytes } of everyObject(join(root, 'home', '.journal')))
    expect(bytes.toString('latin1').toLowerCase()).not.toContain('zanzibar')
  await expect(memory.forget(file, { purge: true })).rejects.toThrow(NoSuchMemory)
  expect(await memory.doctor()).toMatchObject({ ok: true })
  expect(await memory.list()).toHaveLength(1)
})

test('undo takes back one change after the other and keeps what came later', async () => {
  const { memory } = await freshMemory()
  const first = await memory.save(draft('First', { body: 'a\nb\nc\nd\ne' }))
  const second = await memory.save(draft('Second'))
  const edit = await memory.edit(first.file, { body: 'A\nb\nc\nd\ne' })
  await memory.edit(first.file, { body: 'A\nb\nc\nd\nE' })
  expect(await memory.undo(edit.entry)).toMatchObject({ files: [first.file], conflicts: [] })
  expect((await memory.get(first.file)).body).toBe('a\nb\nc\nd\nE')
  expect((await memory.undo()).message).toBe('Edit "First"')
  expect((await memory.get(first.file)).body).toBe('a\nb\nc\nd\ne')
  expect(await memory.undo()).toMatchObject({ id: second.entry, files: [second.file] })
  await expect(memory.get(second.file)).rejects.toThrow(NoSuchMemory)
  expect(await memory.undo()).toMatchObject({ id: first.entry })
  expect(await memory.list()).toEqual([])
  await expect(memory.undo()).rejects.toThrow('Nothing has been changed')
  expect(await memory.doctor()).toMatchObject({ ok: true })
})

test('undo passes over what is undone already, by hand or before a purge', async () => {
  const { memory, directory } = await freshMemory()
  const first = await memory.save(draft('First'))
  const second = await memory.save(draft('Second'))
  fs.rmSync(join(directory, second.file))
  expect(await memory.undo()).toMatchObject({ id: first.entry, files: [first.file] })
  await memory.save(draft('Third'))
  const fourth = await memory.save(draft('Fourth'))
  await memory.undo()
  const purged = await memory.save(draft('Purged'))
  await memory.forget(purged.file, { purge: true })
  expect((await memory.undo()).files).toEqual(['user_third.md'])
  expect(fourth.entry).not.toBe(undefined)
})

test('an undo can be undone, and then the change is the newest again', async () => {
  const { memory, directory } = await freshMemory()
  await memory.save(draft('First'))
  const second = await memory.save(draft('Second'))
  const undone = await memory.undo()
  expect(undone.id).toBe(second.entry)
  await memory.undo(undone.entry)
  expect(fs.existsSync(join(directory, second.file))).toBe(true)
  expect((await memory.undo()).id).toBe(second.entry)
})

test('pinning, and undoing a forget, leave a memory as old as it was', async () => {
  const { memory, directory, clock } = await freshMemory()
  await memory.save(draft('Other'))
  const file = join(directory, 'user_old.md')
  fs.writeFileSync(file, '---\nname: Old\ndescription: koala\ntype: user\n---\nb\n')
  const old = new Date(clock.now.getTime() - 10 * DAY_MS)
  fs.utimesSync(file, old, old)
  await memory.pin('user_old.md')
  expect((await memory.get('user_old.md')).ageDays).toBe(10)
  await memory.forget('user_old.md')
  await memory.undo()
  expect((await memory.get('user_old.md')).ageDays).toBe(10)
  expect(fs.readdirSync(join(directory, '..', 'trash'))).toEqual([])
})

test('a purge is never guessed, and leaves what is said of other memories', async () => {
  const { memory } = await freshMemory()
  await memory.save(draft('Shared'))
  await memory.save(draft('Shared', { scope: 'user', body: 'precious' }))
  await memory.save(draft('Beside'))
  await memory.forget('user_shared.md')
  await expect(memory.forget('user_shared.md', { purge: true })).rejects.toThrow(AmbiguousMemory)
  await memory.forget('user_shared.md', { purge: true, scope: 'project' })
  expect((await memory.get('user_shared.md', 'user')).body).toBe('precious')
  expect((await memory.history('user_beside.md')).map(({ message }) => message)).toEqual([
    'Remember "Beside"',
  ])
})

test('a directory elsewhere has a trash of its own', async () => {
  const root = temporaryDirectory()
  const [a, b] = [
    await freshMemory({ root, directory: join(root, 'a') }),
    await freshMemory({ root, directory: join(root, 'b') }),
  ]
  await a.memory.save(draft('Wombat'))
  await a.memory.forget('user_wombat.md')
  await expect(b.memory.restore('user_wombat.md')).rejects.toThrow(NoSuchMemory)
  expect((await a.memory.restore('user_wombat.md')).file).toBe('user_wombat.md')
})

test('undo leaves alone what was changed on the same lines since', async () => {
  const { memory } = await freshMemory()
  const { file } = await memory.save(draft('Line', { body: 'one' }))
  const edit = await memory.edit(file, { body: 'two' })
  await memory.edit(file, { body: 'three' })
  expect(await memory.undo(edit.entry)).toMatchObject({ files: [], conflicts: [file] })
  expect((await memory.get(file)).body).toBe('three')
})

test('what a person changed by hand is recorded as theirs, and undoing ours does not undo it', async () => {
  const { memory, directory } = await freshMemory()
  const { file } = await memory.save(draft('Hand', { body: 'one\n\ntwo' }))
  fs.writeFileSync(join(directory, file), read(directory, file).replace('two', 'two, by hand'))
  const edit = await memory.edit(file, { description: 'changed by us' })
  expect((await memory.history(file)).map(({ kind, by }) => [kind, by])).toEqual([
    ['edit', 'Owner'],
    ['found', 'Owner'],
    ['save', 'Owner'],
  ])
  await memory.undo(edit.entry)
  expect((await memory.get(file)).body).toBe('one\n\ntwo, by hand')
})
