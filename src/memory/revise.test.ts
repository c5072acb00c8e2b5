import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LockLost } from '../store/index.ts'
import { freshMemory } from './memory.fixture.ts'

const text = (name: string) => `---\nname: ${name}\ndescription: d\ntype: user\n---\n\nb\n`
const TWO = {
  message: 'Two at once',
  kind: 'dream' as const,
  changes: ['one', 'two'].map(name => ({ file: `user_${name}.md`, seen: null, text: text(name) })),
}

test('whoever loses the right in the middle changes nothing more, and whoever comes next finishes it', async () => {
  const { memory, directory, open } = await freshMemory()
  const there = (name: string) => existsSync(join(directory, `user_${name}.md`))
  const lost = memory.revise('project', TWO, async () => {
    if (there('one')) throw new LockLost('somebody else dreams')
  })
  await expect(lost).rejects.toThrow(LockLost)
  expect([there('one'), there('two')]).toEqual([true, false])
  await open()
  expect([there('one'), there('two')]).toEqual([true, true])
  expect((await memory.doctor()).problems).toEqual([])
})

test('what fails in the middle in any other way is taken back', async () => {
  const { memory, directory } = await freshMemory()
  const there = (name: string) => existsSync(join(directory, `user_${name}.md`))
  const failed = memory.revise('project', TWO, async () => {
    if (there('one')) throw new Error('no room')
  })
  await expect(failed).rejects.toThrow('no room')
  expect([there('one'), there('two')]).toEqual([false, false])
  expect(await memory.list()).toEqual([])
})
