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

test('its prompt has the placeholder that is filled in, and no other prompt has one', () => {
  const directory = new URL('../../prompts/', import.meta.url)
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue
    const placeholders = readFileSync(new URL(name, directory), 'utf8').match(/\{\{[^}]*\}\}/g) ?? []
    expect(placeholders, name).toEqual(name === 'memory.md' ? ['{{index}}'] : [])
  }
})
