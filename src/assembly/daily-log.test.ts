import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { dream } from '../dream/index.ts'
import { Memory } from '../memory/index.ts'
import { startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { dreamContext, openConversation } from './index.ts'

const NOW = new Date('2026-05-09T10:30:00')

async function place(dailyLog = true) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project, now: () => NOW })
  onTestFinished(() => memory[Symbol.dispose]())
  const provider = await startFakeProvider()
  onTestFinished(() => provider.close())
  const config = {
    ...DEFAULTS,
    model: 'anthropic/claude-test',
    providers: provider.settings('anthropic'),
    memory: { ...DEFAULTS.memory, dailyLog },
  }
  return { home, project, memory, provider, config }
}

test('the agent notes what happens in a file of the day; the prompt names its pattern and no day; dreams distil it', async () => {
  const { provider, memory, ...where } = await place()
  provider.say(
    {
      calls: [
        { name: 'memory_log', input: { text: 'We decided to use Postgres because of JSONB.\nAll agreed.' } },
      ],
    },
    { calls: [{ name: 'memory_log', input: { text: `The key is ghp_${'a1B2c3D4'.repeat(5)}` } }] },
    { calls: [{ name: 'memory_log', input: { text: 'The owner prefers spaces over tabs.' } }] },
    { text: 'Noted.' },
  )
  await using open = await openConversation({ ...where, env: {}, memory, brief: true })
  await open.agent.send('We take Postgres.', () => {})
  const file = join(memory.place('project'), 'logs', '2026', '05', '2026-05-09.md')
  expect(readFileSync(file, 'utf8')).toBe(
    '# 2026-05-09\n\n- 10:30 We decided to use Postgres because of JSONB.\n  All agreed.\n- 10:30 The owner prefers spaces over tabs.\n',
  )
  const [request] = provider.requests
  const system = JSON.stringify(request?.body.system)
  expect(system).toContain('logs/YYYY/MM/YYYY-MM-DD.md')
  expect(system).not.toContain('2026-05-09')
  const config = { ...where.config, dream: { ...where.config.dream, model: 'embedded' } }
  await dream(dreamContext({ ...where, config, env: {}, memory }), { force: true })
  // What the agent noted is the agent's word: of the project, and never of the owner.
  expect(await memory.list()).toMatchObject([{ type: 'project', origin: 'agent' }])
})

test('a log that leads out of the directory is not written', async () => {
  const { memory } = await place()
  await memory.save({ type: 'project', name: 'One', description: 'd', body: 'b' })
  const elsewhere = temporaryDirectory()
  mkdirSync(join(elsewhere, 'x'))
  symlinkSync(join(elsewhere, 'x'), join(memory.place('project'), 'logs'))
  await expect(memory.noteInDailyLog('hello')).rejects.toThrow(/leads out of the memory directory/)
})

test('where days are not logged, nothing is said of it', async () => {
  const { provider, memory, ...where } = await place(false)
  provider.say({ text: 'Hello.' })
  await using open = await openConversation({ ...where, env: {}, memory, brief: true })
  await open.agent.send('Hello', () => {})
  expect(provider.requests[0]?.text).not.toContain('memory_log')
})
