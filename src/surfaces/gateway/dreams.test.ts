import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, findProject, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { Sessions } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { NewsBox } from '../../work/index.ts'
import { askNow, type DreamTimes, dreamsPart } from './dreams.ts'

const at = (time: string) => new Date(`2026-04-08T${time}Z`)

test.each<[string, DreamTimes, string, number | undefined]>([
  ['nothing is set', { enabled: true }, '23:00', undefined],
  ['before the hour', { enabled: true, cron: '30 3 * * *' }, '03:29', undefined],
  ['at the hour', { enabled: true, cron: '30 3 * * *' }, '03:30', 0],
  ['hours after it, as after a sleep', { enabled: true, cron: '30 3 * * *' }, '09:00', 0],
  ['asked a moment ago', { enabled: true, intervalHours: 8 }, '01:05', undefined],
  ['after so many hours', { enabled: true, intervalHours: 8 }, '01:11', 8],
  ['both', { enabled: true, cron: '30 3 * * *', intervalHours: 8 }, '03:31', 0],
  ['switched off', { enabled: false, cron: '30 3 * * *', intervalHours: 8 }, '09:00', undefined],
])('%s', (_, times, now, minHours) => {
  const asking = askNow(times, { asked: at('01:00'), now: at(now), timeZone: 'UTC' })
  expect(asking?.minHours).toBe(minHours)
})

test('a line that is no time is told', () => {
  const about = { asked: at('01:00'), now: at('02:00'), timeZone: 'UTC' }
  expect(() => askNow({ enabled: true, cron: '99 3 * * *' }, about)).toThrow(/is not a schedule/)
})

test('when its time comes it dreams in every project that somebody has talked in, and that is kept as news', async () => {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const [own, other] = ['own', 'other'].map(name => {
    mkdirSync(join(root, name))
    return findProject(join(root, name))
  })
  if (!own || !other) throw new Error('no project')
  const said = { id: 'm', role: 'user', origin: 'person', at: '2026-04-08T00:00:00.000Z' } as const
  await using transcript = new Sessions(home, other).create()
  await transcript.append({ ...said, parts: [{ type: 'text', text: 'hello' }] })
  using memory = await Memory.open({ home, project: other })
  for (const name of ['Prefers tabs', 'Likes tabs'])
    await memory.save({ type: 'user', name, description: 'Tabs', body: 'Uses tabs for indentation.' })
  const config = {
    ...DEFAULTS,
    model: 'embedded',
    dream: { ...DEFAULTS.dream, cron: '30 3 * * *', minSessions: 0 },
    schedule: { ...DEFAULTS.schedule, timeZone: 'UTC' },
  }
  let now = at('01:00')
  const lines: string[] = []
  const part = await dreamsPart({ now: () => now, lookEveryMs: 5 }).start({
    home,
    project: own,
    env: {},
    configOf: async () => config,
    log: text => lines.push(text),
    note: () => {},
    signal: new AbortController().signal,
  })
  now = at('03:30')
  await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(2)
  await part[Symbol.asyncDispose]()
  expect(lines[1]).toMatch(/^other-.*: Improved \d/)
  expect(await memory.list()).toHaveLength(1)
  expect(await new NewsBox(home, other).take()).toMatchObject([
    { source: 'dream', text: expect.stringMatching(/Improved.*undo/) },
  ])
})
