import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { dream } from '../dream/index.ts'
import { Memory } from '../memory/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { dreamContext, openConversation } from './index.ts'

async function placeFor() {
  const root = temporaryDirectory()
  const where = {
    home: homeAt(join(root, 'home')),
    project: { root, slug: 'p-1' },
    config: { ...DEFAULTS, model: 'embedded' },
    env: {},
  }
  const memory = await Memory.open(where)
  onTestFinished(() => memory[Symbol.dispose]())
  return { where, memory }
}

test('what was said while memory was off is never learnt: not when it is taken up, nor in a dream', async () => {
  const { where, memory } = await placeFor()
  await using before = await openConversation({ ...where, brief: true })
  await before.agent.send('I prefer dark mode in every editor.', () => {})
  const session = before.agent.transcript.id
  await before.close()
  await using after = await openConversation({ ...where, memory, session, brief: true })
  await after.agent.send('Hello!', () => {})
  await expect.poll(() => after.isBusy).toBe(false)
  await after.agent.send('I live in Bergen.', () => {})
  await after.close()
  const descriptions = async () => (await memory.list()).map(({ description }) => description).join('; ')
  expect(await descriptions()).toMatch(/Bergen/)
  await dream(await dreamContext({ ...where, memory }), { force: true })
  expect(await descriptions()).toMatch(/Bergen/)
  expect(await descriptions()).not.toMatch(/dark/i)
})

test.each([true, false])('a summary of a summary goes into the history: %s', async isOnRecord => {
  const { where, memory } = await placeFor()
  await using before = await openConversation({ ...where, ...(isOnRecord && { memory }), brief: true })
  for (const text of ['My name is Ann Lindqvist.', 'Hello!']) await before.agent.send(text, () => {})
  const session = before.agent.transcript.id
  await before.close()
  for (const texts of [
    ['How are you?', 'And now?'],
    ['What next?', 'And then?'],
  ]) {
    await using after = await openConversation({ ...where, memory, session, brief: true })
    for (const text of texts) await after.agent.send(text, () => {})
    expect(await after.agent.compact()).toBe(true)
  }
  const history = join(memory.place('project'), 'history.jsonl')
  expect(existsSync(history) && readFileSync(history, 'utf8').includes('Lindqvist')).toBe(isOnRecord)
})
