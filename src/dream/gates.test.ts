import { expect, test } from 'vitest'
import { askGates, type GateFacts } from './gates.ts'

const NOW = new Date('2026-04-08T12:00:00Z')
const SETTINGS = { enabled: true, minHours: 24, minSessions: 5, minMessages: 30 }
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

function facts({
  dream,
  scan,
  sessions = 9,
  messages = 0,
}: {
  dream?: Date
  scan?: Date
  sessions?: number
  messages?: number
}) {
  const asked: string[] = []
  const note = <T>(name: string, value: T): T => {
    asked.push(name)
    return value
  }
  const made: GateFacts = {
    lastDream: () => note('dream', dream),
    lastScan: () => note('scan', scan),
    noteScan: () => note('noted', undefined),
    sessionsSince: async () => note('sessions', sessions),
    messagesSince: async () => note('messages', messages),
  }
  return { made, asked }
}

test.each([
  ['switched off', { ...SETTINGS, enabled: false }, {}, 'disabled', []],
  ['too soon', SETTINGS, { dream: hoursAgo(23.9) }, 'time', ['dream']],
  ['just looked', SETTINGS, { dream: hoursAgo(25), scan: hoursAgo(0.1) }, 'scan', ['dream', 'scan']],
  [
    'too little',
    SETTINGS,
    { dream: hoursAgo(25), sessions: 4, messages: 29 },
    'sessions',
    ['dream', 'scan', 'noted', 'sessions', 'messages'],
  ],
  [
    'enough sessions',
    SETTINGS,
    { dream: hoursAgo(24), sessions: 5 },
    undefined,
    ['dream', 'scan', 'noted', 'sessions'],
  ],
  [
    'one endless chat',
    SETTINGS,
    { sessions: 0, messages: 30 },
    undefined,
    ['dream', 'scan', 'noted', 'sessions', 'messages'],
  ],
  [
    'a date in the future',
    SETTINGS,
    { dream: hoursAgo(-5) },
    undefined,
    ['dream', 'scan', 'noted', 'sessions'],
  ],
])('%s: the cheapest question first, and none after a no', async (_, settings, known, gate, questions) => {
  const { made, asked } = facts(known)
  const answer = await askGates(settings, made, NOW)
  expect(answer.open ? undefined : answer.gate).toBe(gate)
  expect(asked).toEqual(questions)
  if (!answer.open) expect(answer.reason).toMatch(/\w+ \w+/)
})

test('force asks nothing, and does not switch on what is switched off', async () => {
  const { made, asked } = facts({ dream: hoursAgo(1) })
  expect(await askGates(SETTINGS, made, NOW, { force: true })).toEqual({ open: true })
  expect(asked).toEqual([])
  expect(await askGates({ ...SETTINGS, enabled: false }, made, NOW, { force: true })).toMatchObject({
    open: false,
    gate: 'disabled',
  })
})
