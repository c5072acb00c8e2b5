import { expect, it } from 'vitest'
import { printEntry } from '../../memory/index.ts'
import type { DreamMemory, DreamTask, Stage } from '../dreamer.ts'
import { embeddedDreamer } from './embedded-dreamer.ts'

function memory(file: string, body: string, day: string): DreamMemory {
  const entry = {
    name: body,
    description: body,
    type: 'project' as const,
    pinned: false,
    origin: 'owner' as const,
    created: day,
    updated: day,
    sources: [],
    supersedes: [],
    body,
  }
  return { ...entry, file, text: printEntry(entry), created: new Date(day), confirmed: new Date(day) }
}

function task(signal: AbortSignal): { task: DreamTask; files: Map<string, string> } {
  const memories = [
    memory('npm.md', 'The project uses npm.', '2026-05-01'),
    memory('pnpm.md', 'The project uses pnpm.', '2026-10-01'),
  ]
  const files = new Map(memories.map(({ file, text }) => [file, text]))
  const stage: Stage = {
    list: async () => [...files.keys()],
    read: async file => files.get(file),
    write: async (file, text) => void files.set(file, text),
    remove: async file => void files.delete(file),
  }
  const material = {
    now: new Date('2026-11-18'),
    memories,
    index: '',
    others: [],
    own: [],
    history: [],
    logs: [],
    turns: [],
    skills: [],
    acceptsSkills: false,
    isRefused: () => false,
  }
  const budget = { rounds: 10, inputTokens: 1, deadline: Number.POSITIVE_INFINITY }
  const unasked = { dryRun: false } as Pick<DreamTask, 'sessions' | 'dryRun'>
  return { task: { ...unasked, material, stage, budget, signal, progress: () => undefined }, files }
}

it('puts on the stage what the mind decided, and costs nothing', async () => {
  const { task: given, files } = task(new AbortController().signal)
  const report = await embeddedDreamer.dream(given)
  // Which lines the index has follows from the files.
  expect([...files.keys()].sort()).toEqual(['pnpm.md'])
  expect(report).toMatchObject({ usage: { input: 0, output: 0 }, letGo: [expect.stringContaining('npm')] })
})

it('changes nothing more once it is stopped', async () => {
  const { task: given, files } = task(AbortSignal.abort())
  await expect(embeddedDreamer.dream(given)).rejects.toThrow()
  expect(files.size).toBe(2)
})
