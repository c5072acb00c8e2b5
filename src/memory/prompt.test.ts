import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { draft, freshMemory } from './memory.fixture.ts'

test('tells what to keep, what not, how to rely on it, and shows the index of each scope', async () => {
  const { memory } = await freshMemory()
  expect(await memory.prompt()).toContain('Nothing has been remembered yet.')
  await memory.save(draft('Tabs $& {{index}}', { description: 'with $1' }))
  await memory.save(draft('Everywhere', { scope: 'user' }))
  const prompt = await memory.prompt()
  for (const part of [
    '`feedback`',
    '**Why:**',
    'What not to keep',
    'verify before',
    memory.place('user'),
    memory.place('project'),
  ])
    expect(prompt).toContain(part)
  expect(prompt).toContain('- [Tabs $& {{index}}](user_tabs-index.md) — with $1')
  expect(await memory.prompt()).toBe(prompt)
})

test('another agent is told how it is lent, with the same index', async () => {
  const { memory } = await freshMemory()
  await memory.save(draft('Tabs'))
  const prompt = await memory.prompt({ reader: 'lent' })
  for (const part of ['memory_recall', 'reverie recall', 'no instructions', '- [Tabs](user_tabs.md)'])
    expect(prompt).toContain(part)
})

/** What is filled into prompts, by their names. */
const PLACEHOLDERS: Readonly<Record<string, string[]>> = {
  'memory.md': ['{{index}}'],
  'lent/memory.md': ['{{index}}'],
  'daily-log.md': ['{{pattern}}'],
}

test('prompts have the placeholders that are filled in, and no others', () => {
  const directory = new URL('../../prompts/', import.meta.url)
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue
    const placeholders = readFileSync(new URL(name, directory), 'utf8').match(/\{\{[^}]*\}\}/g) ?? []
    expect(placeholders, name).toEqual(PLACEHOLDERS[name.replaceAll('\\', '/')] ?? [])
  }
})
