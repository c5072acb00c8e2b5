import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Aside } from '../agent/index.ts'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { Sessions } from '../session/index.ts'
import { said } from '../session/session.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { asideLine, type ConversationOptions, openConversation } from './index.ts'

/** Never reached by a test that passes. */
const FAR_OFF = { timeout: 30_000 }

/** Two memories that a dream joins, and a conversation after which it is time for one. */
async function conversation(options: Partial<ConversationOptions> = {}) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  for (const name of ['Prefers tabs', 'Likes tabs'])
    await memory.save({ type: 'user', name, description: 'Tabs', body: 'Uses tabs for indentation.' })
  const config = {
    ...DEFAULTS,
    model: 'embedded',
    dream: { ...DEFAULTS.dream, minSessions: 0, minMessages: 0 },
  }
  const open = await openConversation({ home, project, config, env: {}, memory, ...options })
  onTestFinished(async () => {
    await open.close()
    memory[Symbol.dispose]()
  })
  const asides: Aside[] = []
  open.agent.listen(event => {
    if (event.type === 'aside') asides.push(event)
  })
  return { open, memory, asides }
}

const nobody = () => {}

test('sessions are kept, or as long as the owner wants them, and what went to the trash is told', async () => {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const sessions = new Sessions(home, project)
  const talk = async (id: string, days: number) => {
    const transcript = sessions.create({ id })
    await transcript.append(said('hello'))
    await transcript.close()
    const then = new Date(Date.now() - days * 86_400_000)
    await utimes(sessions.pathOf(id), then, then)
  }
  await talk('old', 31)
  await talk('open', 31)
  await talk('young', 29)
  const { transcript: open } = await sessions.resume('open')
  onTestFinished(() => open.close())
  const ask = async (keepDays?: number) => {
    const config = { ...DEFAULTS, model: 'embedded', sessions: keepDays === undefined ? {} : { keepDays } }
    const open = await openConversation({ home, project, config, env: {}, brief: true })
    const asides: Aside[] = []
    open.agent.listen(event => event.type === 'aside' && asides.push(event))
    await open.agent.send('hello', nobody)
    await open.close()
    return asides.map(asideLine)
  }
  expect(await ask()).toEqual([])
  expect(await sessions.ids()).toContain('old')
  expect(await ask(30)).toEqual([
    '1 session without a word for 30 days went to the trash, for 30 days · reverie sessions restore old',
  ])
  const ids = await sessions.ids()
  expect(ids).toEqual(expect.arrayContaining(['open', 'young']))
  expect(ids).toHaveLength(4) // and the two that asked
  await sessions.restore('old')
  expect(await sessions.ids()).toContain('old')
})

test('after an answer a dream begins, and whoever listens is told of it with its undo', async () => {
  const { open, asides } = await conversation()
  await open.agent.send('hello', nobody)
  await expect.poll(() => asides, FAR_OFF).toHaveLength(1)
  expect(asides[0]).toMatchObject({ job: 'dream', text: expect.stringMatching(/^Improved \d/) })
  expect(asides.map(asideLine)).toEqual([
    expect.stringMatching(/^Improved .* · undo: reverie dream restore [0-9a-f]+$/),
  ])
  await expect.poll(() => open.isBusy, FAR_OFF).toBe(false)
})

test.each([
  ['a conversation that ends with its answer', { brief: true }, 'person'],
  ['the prompt of a schedule', {}, 'schedule'],
] as const)('%s begins no dream', async (_, options, origin) => {
  const { open, asides, memory } = await conversation(options)
  await open.agent.send('hello', nobody, { origin })
  await open.close()
  expect(open.agent.background.list()).toEqual([])
  expect(asides).toEqual([])
  expect(await memory.list()).toHaveLength(2)
})
