import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { type DreamContext, type Dreamer, embeddedDreamer, placeOf, readRunning } from '../dream/index.ts'
import { Memory } from '../memory/index.ts'
import { NO_USAGE } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BackgroundTasks, type TaskEnd } from '../work/index.ts'
import { asideLine, Dreaming } from './dreaming.ts'

/** Never reached by a test that passes: a condition is waited for, not a time. */
const FAR_OFF = { timeout: 30_000 }

/** A conversation that it is time to dream beside. */
async function conversation(dreamer: Dreamer) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  onTestFinished(() => memory[Symbol.dispose]())
  for (const name of ['Prefers tabs', 'Likes tabs'])
    await memory.save({ type: 'user', name, description: 'Tabs', body: 'Uses tabs for indentation.' })
  const config = { ...DEFAULTS, dream: { ...DEFAULTS.dream, minSessions: 0 } }
  const context: DreamContext = { home, project, memory, dreamer, config }
  const background = new BackgroundTasks({ directory: join(root, 'background'), session: 's1' })
  onTestFinished(() => background.close())
  const said: string[] = []
  const ends: TaskEnd[] = []
  background.onEnd(end => ends.push(end))
  const dreaming = new Dreaming({
    context: async () => context,
    background: () => background,
    tell: aside => said.push(asideLine(aside)),
  })
  return { dreaming, background, said, ends, memory }
}

/** Dreams until it is stopped. */
function endless() {
  const begun = Promise.withResolvers<void>()
  const dreamer: Dreamer = {
    name: 'endless',
    async dream({ signal, stage }) {
      for (const file of ['user_prefers-tabs.md', 'user_likes-tabs.md'])
        await stage.remove(file, { reason: 'bad dream', wentTo: 'nowhere' })
      begun.resolve()
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      return { findings: [], learnt: [], letGo: [], usage: NO_USAGE }
    },
  }
  return { dreamer, begun: begun.promise }
}

test('a dream beside a conversation is a task of it: listed, followed, told to the person, and news', async () => {
  const { dreaming, background, said, ends, memory } = await conversation(embeddedDreamer)
  dreaming.consider()
  dreaming.consider()
  await expect.poll(() => ends.length, FAR_OFF).toBe(1)
  expect(background.list()).toMatchObject([{ kind: 'dream', status: 'completed', session: 's1' }])
  expect(said).toEqual([expect.stringMatching(/^Improved \d memor.*undo: reverie dream restore/)])
  expect(ends).toMatchObject([{ status: 'completed', summary: said[0] }])
  const { text } = await background.read(ends[0]?.id ?? '')
  expect(text).toMatch(/^orient\ngather\n[\s\S]*(merge|remove) user_.*tabs\.md: /)
  expect(await memory.list()).toHaveLength(1)
  await dreaming[Symbol.asyncDispose]()
  expect(said).toHaveLength(1)
})

test.each([
  ['by its id', async (tasks: BackgroundTasks) => void (await tasks.stop(tasks.list()[0]?.id ?? ''))],
  ['by a signal', async () => void process.kill(process.pid, 'SIGUSR2')],
])('a dream that is stopped %s leaves memory as it was, and the person is told', async (_, stop) => {
  const { dreamer, begun } = endless()
  const { dreaming, background, said, memory } = await conversation(dreamer)
  dreaming.consider()
  await begun
  expect(readRunning(placeOf(memory).state)).toMatchObject({ pid: process.pid })
  await stop(background)
  await expect.poll(() => said, FAR_OFF).toEqual([expect.stringMatching(/stopped, and memory is as it was/)])
  expect(background.list()).toMatchObject([{ status: 'cancelled' }])
  expect(await memory.list()).toHaveLength(2)
  expect(readRunning(placeOf(memory).state)).toBeUndefined()
})

test('a dream ends with the conversation, without a word', async () => {
  const { dreamer, begun } = endless()
  const { dreaming, background, said, memory } = await conversation(dreamer)
  dreaming.consider()
  await begun
  await dreaming[Symbol.asyncDispose]()
  expect(background.list()).toMatchObject([{ status: 'cancelled' }])
  expect(said).toEqual([])
  expect(await memory.list()).toHaveLength(2)
})
