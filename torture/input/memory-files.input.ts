import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Memory, openMemory } from '../../src/index.ts'
import { ReverieError } from '../../src/store/index.ts'
import { assertRule } from '../kill/scenario.ts'
import { garbage, garbageBytes } from './garbage.ts'

/** Files that one directory holds before the next is begun. */
const FILES_PER_DIRECTORY = 250

/** Files of any bytes and names in a memory directory: every one is still there, as it was, whatever is done beside it. */
export async function feed(count: number, random: () => number): Promise<string> {
  let memories = 0
  for (let done = 0; done < count; done += FILES_PER_DIRECTORY) {
    const root = fs.mkdtempSync(join(tmpdir(), 'reverie-input-'))
    memories += await oneDirectory(root, Math.min(FILES_PER_DIRECTORY, count - done), random)
    fs.rmSync(root, { recursive: true })
  }
  return `${memories} of them were memories after all; none lost, none changed, nothing outside touched`
}

async function oneDirectory(root: string, count: number, random: () => number): Promise<number> {
  const directory = join(root, 'memory')
  fs.mkdirSync(directory)
  fs.writeFileSync(join(root, 'canary'), 'untouched')
  const files = new Map<string, Buffer>()
  for (let number = 0; number < count; number++) {
    const name = fileName(number, random)
    const bytes = garbageBytes(random)
    fs.writeFileSync(join(directory, name), bytes)
    files.set(name, bytes)
  }
  if (random() < 0.5) fs.writeFileSync(join(directory, 'MEMORY.md'), garbage(random, 60))
  using memory = await openMemory({ home: join(root, 'home'), project: root, memoryDir: directory })
  const found = (await memory.list()).length
  await workBeside(memory, random)
  for (const [name, bytes] of files)
    assertRule(fs.readFileSync(join(directory, name)).equals(bytes), `${name} in ${directory} is as it was`)
  assertRule(fs.readFileSync(join(root, 'canary'), 'utf8') === 'untouched', 'nothing outside was touched')
  assertRule(fs.readdirSync(root).sort().join() === 'canary,home,memory', 'nothing outside was made')
  return found
}

function fileName(number: number, random: () => number): string {
  // Whatever the file system takes: no separator, no NUL, not too long.
  const wild = garbage(random, 3).replaceAll(/[/\0]/g, '').toWellFormed().slice(0, 40)
  return `${wild.isWellFormed() ? wild : 'user_'}${number}.md`
}

async function workBeside(memory: Memory, random: () => number): Promise<void> {
  const text = () => garbage(random)
  await memory.doctor({ fix: true })
  await memory.recall(text())
  await memory.prompt()
  const { file } = await memory.save({ type: 'user', name: 'A whole one', description: 'd', body: 'b' })
  await memory.forget(file)
  for (let tries = 0; tries < 10; tries++) {
    await refusedOrDone(() => memory.save({ type: 'user', name: text(), description: text(), body: text() }))
    const hostile = text()
    await refusedOrDone(() => memory.get(hostile))
    if (!hostile.endsWith('.md')) await refusedOrDone(() => memory.forget(hostile))
    await refusedOrDone(() => memory.undo(text()))
  }
}

/** An error must be one that a person can act on. */
async function refusedOrDone(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
  }
}
