import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadPrompt } from './prompts.ts'

const PROMPTS = new URL('../../prompts/', import.meta.url)

test.each([
  'agent',
  'continue',
  'dream-analyse',
  'dream-edit',
  'extract',
  'notes',
  'resume',
  'rules',
  'schedule',
  'select',
  'skills',
  'servers',
  'summarise',
  'tools',
] as const)('%s is there, whole and filled in', async name => {
  const text = await loadPrompt(name)
  expect(text.length).toBeGreaterThan(80)
  expect(text).toBe(text.trim())
  expect(text).not.toMatch(/\{\{|TODO|\r/)
})

test('every prompt is one that something loads', () => {
  const known = [
    'agent.md',
    'continue.md',
    'daily-log.md',
    'dream-analyse.md',
    'dream-edit.md',
    'extract.md',
    'memory.md',
    'notes.md',
    'resume.md',
    'rules.md',
    'schedule.md',
    'select.md',
    'servers.md',
    'skills.md',
    'summarise.md',
    'tools.md',
  ]
  expect(
    readdirSync(PROMPTS)
      .filter(name => name.endsWith('.md'))
      .toSorted(),
  ).toEqual(known)
  for (const file of known) expect(readFileSync(new URL(file, PROMPTS), 'utf8').trim()).not.toBe('')
})
