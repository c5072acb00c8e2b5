import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { type Line, startFakeProvider } from '../../models/wire.fixture.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { learn } from './learn.ts'
import type { Said } from './trail.ts'

const SAID: readonly Said[] = [
  { who: 'person', text: 'Where were we? I live in Bergen.', at: '2026-11-18T09:00:00.000Z' },
  { who: 'agent', text: 'Bergen, then.', at: '2026-11-18T09:00:05.000Z' },
]

async function place(extraction: Partial<typeof DEFAULTS.extraction> = {}) {
  const root = temporaryDirectory()
  const memory = await Memory.open({ home: homeAt(join(root, 'home')), project: { root, slug: 'p-1' } })
  onTestFinished(() => memory[Symbol.dispose]())
  const config = { ...DEFAULTS, extraction: { ...DEFAULTS.extraction, ...extraction } }
  const cursorPath = join(root, 's.learnt.json')
  return { memory, config, options: { memory, config, env: {}, session: 'codex-1', cursorPath } }
}

test('the model that is configured looks through it, and what it cost is told', async () => {
  const { memory, config, options } = await place()
  const provider = await startFakeProvider()
  onTestFinished(() => provider.close())
  const quote = 'I live in Bergen'
  const create: Line = {
    calls: [
      { name: 'create', input: { type: 'user', name: 'Bergen', description: 'd', body: quote, quote } },
    ],
    usage: { input: 100, output: 10 },
  }
  provider.sayToExtraction(create, { text: 'DONE', usage: { input: 200, output: 1 } })
  const withModel = { ...config, model: 'anthropic/claude-test', providers: provider.settings('anthropic') }
  const lines = await learn(SAID, { ...options, config: withModel })
  expect(lines).toEqual([
    expect.stringMatching(/^Reverie: Remembered: Bergen · undo: reverie memory undo \w+ \(311 tokens\)$/),
  ])
  expect((await memory.list()).map(({ name }) => name)).toEqual(['Bergen'])
  // A hook that was killed before it could say so looks at it again, and finds that it was looked at.
  expect(await learn(SAID, { ...options, config: withModel })).toEqual([])
})

test('what is found is proposed, or not looked for, as its owner set', async () => {
  const ask = await place({ approval: 'ask' })
  expect(await learn(SAID, ask.options)).toEqual([
    expect.stringMatching(/^Reverie: Worth remembering\? .* reverie memory keep /),
  ])
  expect(await ask.memory.list()).toEqual([])
  const off = await place({ approval: 'off' })
  expect(await learn(SAID, off.options)).toEqual([])
})
