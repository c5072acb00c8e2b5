import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { readHeartbeats } from './heartbeat.ts'
import { HeartbeatFile, knownAfter } from './heartbeat-file.ts'

const found = (text: string) =>
  readHeartbeats(text).heartbeats.map(({ when, prompt }) => [
    'cron' in when ? when.cron : when.everyMs / 1000,
    prompt,
  ])

test('tasks are items of a list that say how often', () => {
  const text = `# Heartbeat

Some words: every 5 minutes is only an example here.

- every 30 minutes: look at the inbox
* Check the build every 2h
1. [ ] hourly — say the time,
   in words
+ (every day) tidy up
- [x] every 5m: done already
- Weekly, write a report
`
  expect(found(text)).toEqual([
    [1800, 'look at the inbox'],
    [7200, 'Check the build'],
    [3600, 'say the time, in words'],
    [86_400, 'tidy up'],
    [604_800, 'write a report'],
  ])
})

test.each([
  ['every day at 9:00: read the news', ['0 9 * * *', 'read the news']],
  ['Every weekday at 9am, what is left?', ['0 9 * * 1-5', 'what is left?']],
  ['**every 30 minutes:** read the *news*', [1800, 'read the *news*']],
  ['_every hour_ – the time', [3600, 'the time']],
  ['say the headlines daily at 18:30', ['30 18 * * *', 'say the headlines']],
  ['Every Monday 8:15 — plan the week', ['15 8 * * 1', 'plan the week']],
  ['every day 5 sites are to be looked at', [86_400, '5 sites are to be looked at']],
  ['every 2 hours and 30 minutes: look', [9_000, 'look']],
  ['every 1h30m: look', [5_400, 'look']],
  ['every half hour: look', [1_800, 'look']],
  ['every other day: water the plants', [172_800, 'water the plants']],
])('%s', (item, task) => {
  expect(readHeartbeats(`- ${item}`).problems).toEqual([])
  expect(found(`- ${item}`)).toEqual([task])
})

test('what lies in a task belongs to it, unless it says how often itself', () => {
  const text = `- every 30 minutes: look at
  - CI
  - [x] the old CI,
    which is gone
  - the inbox,
    and its spam
    1. first
- [x] every day: done
  - with this
* Plants
\t* every other day: water them
    * the fern
  - every week: feed them
`
  expect(found(text)).toEqual([
    [1_800, 'look at - CI - the inbox, and its spam 1. first'],
    [172_800, 'water them * the fern'],
    [604_800, 'feed them'],
  ])
  expect(readHeartbeats(text).problems).toEqual([expect.stringMatching(/"Plants" is no task/)])
})

test.each([
  'every day at sunrise: x',
  'weekly on Friday: x',
  'every day in the morning: x',
  'every Monday: x',
])(
  'a time of day that is not understood is told, and does not become a part of what is to be done: %s',
  item => {
    const { heartbeats, problems } = readHeartbeats(`- ${item}`)
    expect(heartbeats).toEqual([])
    expect(problems).toEqual([expect.stringMatching(/at 9:00/)])
  },
)

test.each([
  ['a fence', '```\n- every 5m: example\n```\n'],
  ['a fence with a language', '```md\n- every 5m: example\n```\n'],
  ['tildes', '~~~\n- every 5m: example\n~~~\n'],
  ['a longer fence around a shorter one', '````\n```\n- every 5m: example\n```\n- every 6m: x\n````\n'],
  ['a fence that does not end', '```\n- every 5m: example\n'],
  ['what only looks like its end', '```\n```js\n- every 5m: example\n```\n'],
  ['a comment in a fence', '```\n<!--\n- every 5m: example\n```\n'],
  ['a comment', '<!-- - every 5m: example -->\n'],
  ['a comment of several lines', '<!--\n- every 5m: example\n```\n-->\n'],
  ['indented code', '    - every 5m: example\n'],
])('what stands in %s is none, and what comes after it is', (name, text) => {
  const isOver = !name.includes('not end')
  expect(found(`${text}\n- every 9m: real`)).toEqual(isOver ? [[540, 'real']] : [])
})

test('what cannot be understood is told, and the others count', () => {
  const { heartbeats, problems } = readHeartbeats(
    '- every 5 parsecs: x\n- every 5m:\n- look around\n- every 5m: y',
  )
  expect(heartbeats).toHaveLength(1)
  expect(problems).toEqual([
    expect.stringMatching(/parsecs/),
    expect.stringMatching(/what is to be done/),
    expect.stringMatching(/look around.*how often/),
  ])
})

test('what is known of a task stays as long as its words do, and each problem is told once', async () => {
  const home = homeAt(temporaryDirectory())
  let now = new Date('2026-04-08T12:00:00Z')
  const file = new HeartbeatFile(home, { now: () => now })
  const told: string[] = []
  const jobs = () => file.jobs(problem => void told.push(problem))
  expect(await jobs()).toEqual([])
  const write = (text: string) => writeFileSync(join(home.path, 'HEARTBEAT.md'), text)
  write('- every 5m: look\n- every now: x')
  const [first] = await jobs()
  expect(first).toMatchObject({ createdAt: now.toISOString(), lastRunAt: null, prompt: 'look' })
  now = new Date('2026-04-08T12:05:00Z')
  await file.advance(first?.id ?? '')
  const again = new HeartbeatFile(home, { now: () => now })
  expect(await again.jobs(() => {})).toEqual([{ ...first, lastRunAt: now.toISOString() }])
  await jobs()
  expect(told).toHaveLength(1)
  write('- every 6m: look')
  expect(await jobs()).toMatchObject([{ lastRunAt: null, when: { everyMs: 360_000 } }])
  writeFileSync(join(home.path, 'heartbeats.json'), '{"hb-1": 7, "x": {"createdAt": "soon"}}')
  expect(await jobs()).toMatchObject([{ lastRunAt: null }])
})

test('a file that is empty for a moment, while an editor saves it, makes no task begin from new', async () => {
  const home = homeAt(temporaryDirectory())
  let now = new Date('2026-04-08T12:00:00Z')
  const file = new HeartbeatFile(home, { now: () => now })
  const jobs = () => file.jobs(() => {})
  const write = (text: string) => writeFileSync(join(home.path, 'HEARTBEAT.md'), text)
  write('- weekly: report\n- every 5m: look')
  const [weekly] = await jobs()
  now = new Date('2026-04-12T12:00:00Z')
  await file.advance(weekly?.id ?? '')
  const lastRunAt = now.toISOString()
  write('')
  expect(await jobs()).toEqual([])
  write('- weekly: report\n- every 5m: look')
  expect(await jobs()).toMatchObject([{ ...weekly, lastRunAt }, { createdAt: weekly?.createdAt }])
  write('- every 5m: look')
  await jobs()
  now = new Date('2026-04-14T12:00:00Z')
  await jobs()
  write('- weekly: report')
  expect(await jobs()).toMatchObject([{ createdAt: now.toISOString(), lastRunAt: null }])
})

test('however often the file changes, what is known of it does not grow for ever', () => {
  let known: ReturnType<typeof knownAfter> = new Map()
  const now = new Date('2026-04-08T12:00:00Z')
  for (let at = 0; at < 500; at++)
    known = knownAfter(known, [{ id: `hb-${at}`, when: { everyMs: 1 }, prompt: '' }], now)
  expect(known.size).toBeLessThanOrEqual(201)
  expect(knownAfter(known, [{ id: 'hb-499', when: { everyMs: 1 }, prompt: '' }], now)).toBe(known)
})

test('a file that is far too large is told, and so is one that is none', async () => {
  const home = homeAt(temporaryDirectory())
  const told: string[] = []
  const file = new HeartbeatFile(home, { now: () => new Date() })
  const jobs = () => file.jobs(problem => void told.push(problem))
  await jobs()
  writeFileSync(join(home.path, 'HEARTBEAT.md'), `- every 5m: look\n${' '.repeat(1_100_000)}`)
  expect(await jobs()).toEqual([])
  await jobs()
  expect(told).toEqual([expect.stringMatching(/at most 1 MB/)])
})

test.each([
  ['one long line of numbers', `- every ${'1 '.repeat(250_000)}`],
  ['words that nearly are amounts', `- ${'every 1 second 1 '.repeat(50_000)}`],
  ['comments that begin and begin', `- every 5m: x ${'<!--'.repeat(200_000)}`],
  ['white space', `-${' '.repeat(900_000)}x`],
  ['lines that go on and on', `- every 5m: x\n${'  more\n'.repeat(120_000)}`],
  ['items in items', `- every 5m: x\n${'  - more\n'.repeat(100_000)}`],
  ['fences in fences', '````\n```\n'.repeat(100_000)],
])('%s cost no more than a moment', (_, text) => {
  const started = performance.now()
  readHeartbeats(text)
  expect(performance.now() - started).toBeLessThan(20_000) // what is not linear takes minutes
})
