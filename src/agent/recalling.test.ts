import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { lookBack } from './recalling.ts'

test('who asks to ignore memory is told nothing from it; who speaks of memory leaks is', async () => {
  const root = temporaryDirectory()
  const memory = await Memory.open({ home: homeAt(join(root, 'home')), project: { root, slug: 'p-1' } })
  onTestFinished(() => memory[Symbol.dispose]())
  await memory.save({ type: 'user', name: 'Tea', description: 'Favourite tea is oolong', body: 'Oolong.' })
  const found = async (text: string) =>
    (await lookBack(text, { memory, messages: [], select: undefined })).memories.length
  expect(await found('Ignore memory. What is my favourite tea?')).toBe(0)
  expect(await found('忽略记忆:what is my favourite tea?')).toBe(0)
  expect(await found('What is my favourite tea?')).toBe(1)
  expect(await found('Ignore memory leaks. What is my favourite tea?')).toBe(1)
})
