import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt, projectSlug } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { askUserTool } from './ask-user.ts'
import { memoryTools } from './memory.ts'
import { todoTool } from './todo.ts'
import type { Tool, ToolContext } from './tool.ts'

const context: ToolContext = {
  call: 'c',
  signal: new AbortController().signal,
  progress() {},
  ask: undefined,
}

async function tools() {
  const home = temporaryDirectory()
  const project = { root: home, slug: projectSlug(home) }
  const memory = await Memory.open({ home: homeAt(home), project })
  const made = memoryTools(memory, { session: () => 's-1', origin: () => 'agent' })
  const run = (name: string, input: unknown) => {
    const tool = made.find(tool => tool.name === name) as Tool
    return tool.run(tool.input.parse(input), context)
  }
  return { memory, run, home }
}

const TABS = {
  type: 'user',
  name: 'Prefers tabs',
  description: 'Indents with tabs',
  body: 'In every language.',
}

test('what cannot be undone is not kept in silence', async () => {
  const { memory, run, home } = await tools()
  using _ = memory
  writeFileSync(join(home, '.journal'), 'in the way')
  const { effects } = await run('memory_save', TABS)
  expect(effects).toMatchObject([
    { undo: undefined, warnings: [expect.stringMatching(/not in the journal/)] },
  ])
})

test('save, search, forget: each tells what it did and how to undo it', async () => {
  const { memory, run } = await tools()
  using _ = memory
  const saved = await run('memory_save', TABS)
  const told = JSON.parse(saved.text)
  expect(told).toMatchObject({ file: 'user_prefers-tabs.md', created: true, scope: 'project' })
  expect(saved.effects).toEqual([
    {
      kind: 'remembered',
      name: 'Prefers tabs',
      file: told.file,
      created: true,
      undo: told.undo,
      warnings: [],
    },
  ])
  expect(await memory.get(told.file)).toMatchObject({ origin: 'agent', sources: ['s-1'] })
  expect((await run('memory_save', TABS)).effects).toEqual([])
  const [found] = JSON.parse((await run('memory_search', { query: 'how to indent' })).text)
  expect(found).toMatchObject({
    file: told.file,
    ageDays: 0,
    note: 'saved today',
    body: 'In every language.',
  })
  expect(JSON.parse((await run('memory_search', { type: 'project' })).text)).toEqual([])
  expect(JSON.parse((await run('memory_search', { type: 'user' })).text)).toHaveLength(1)
  const forgotten = await run('memory_forget', { file: told.file })
  expect(await memory.list()).toEqual([])
  await memory.undo(JSON.parse(forgotten.text).undo)
  expect(await memory.list()).toHaveLength(1)
})

test('what is refused is a sentence that the model can act on', async () => {
  const { memory, run } = await tools()
  using _ = memory
  await expect(run('memory_save', { ...TABS, body: 'password = hunter2hunter2' })).rejects.toThrow(
    /secret|password/i,
  )
  await expect(run('memory_forget', { file: '../x' })).rejects.toThrow()
  await expect(run('memory_forget', { file: 'user_none.md' })).rejects.toThrow(/no memory/i)
  await memory.save({ ...TABS, type: 'user', pinned: true })
  await expect(run('memory_forget', { file: 'user_prefers-tabs.md' })).rejects.toThrow(/pinned/)
})

test('a question reaches the person, or says that nobody is there', async () => {
  const { run } = askUserTool()
  await expect(run({ question: 'Which?' }, context)).rejects.toThrow(/Nobody is there/)
  const ask: ToolContext['ask'] = async ({ options }) => options[1] ?? ''
  expect(await run({ question: 'Which?', options: ['a', 'b'] }, { ...context, ask })).toEqual({ text: 'b' })
})

test('the list of steps is told back in one line', async () => {
  const items = [
    { text: 'look', status: 'completed' },
    { text: 'mend', status: 'in_progress' },
  ]
  expect((await todoTool().run({ items }, context)).text).toBe('1 of 2 done. Now: mend')
})
