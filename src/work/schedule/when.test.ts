import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cronTimeAfter } from './cron-line.ts'
import { BadSchedule } from './errors.ts'
import { readWhen, sayingOf, sayWhen, startAfter } from './when.ts'

const NOW = new Date('2026-04-08T12:00:00Z')
const BERLIN = 'Europe/Berlin'
const MINUTE = 60_000

/** Without jitter: what the ids below hash to is not the point of most of these. */
function slots(when: ReturnType<typeof readWhen>, from: string, count: number, timeZone = BERLIN): string[] {
  const found: string[] = []
  let after = new Date(from)
  for (let at = 0; at < count; at++) {
    const start = startAfter({ id: 'job', when, createdAt: from }, after, timeZone)
    if (!start) break
    found.push(new Date(Math.floor(start.getTime() / MINUTE) * MINUTE).toISOString())
    after = start
  }
  return found
}

describe('what can be said', () => {
  test.each([
    [{ cron: '*/10  9-17 * * 1-5' }, { cron: '*/10 9-17 * * 1-5' }, '*/10 9-17 * * 1-5'],
    [{ every: '10m' }, { everyMs: 10 * MINUTE }, 'every 10m'],
    [{ every: 'every 2 hours' }, { everyMs: 120 * MINUTE }, 'every 2h'],
    [{ every: '1h 30m' }, { everyMs: 90 * MINUTE }, 'every 90m'],
    [{ every: '30 s' }, { everyMs: 30_000 }, 'every 30s'],
    [{ in: '20 minutes' }, { at: '2026-04-08T12:20:00.000Z' }, '2026-04-08T12:20:00.000Z'],
    [{ in: 'in 1 hour and 5 minutes' }, { at: '2026-04-08T13:05:00.000Z' }, '2026-04-08T13:05:00.000Z'],
    [{ at: '2026-05-01T09:00' }, { at: '2026-05-01T07:00:00.000Z' }, '2026-05-01T07:00:00.000Z'],
    [{ at: '2026-05-01T09:00:00+05:30' }, { at: '2026-05-01T03:30:00.000Z' }, '2026-05-01T03:30:00.000Z'],
    [{ every: 'hour' }, { everyMs: 60 * MINUTE }, 'every 1h'],
    [{ every: 'half an hour' }, { everyMs: 30 * MINUTE }, 'every 30m'],
    [{ every: 'Daily' }, { everyMs: 24 * 60 * MINUTE }, 'every 1d'],
    [{ every: 'other day' }, { everyMs: 48 * 60 * MINUTE }, 'every 2d'],
    [{ every: '2h30m' }, { everyMs: 150 * MINUTE }, 'every 150m'],
    [{ every: 'day at 9' }, { cron: '0 9 * * *' }, '0 9 * * *'],
    [{ every: 'every weekday at 17:30' }, { cron: '30 17 * * 1-5' }, '30 17 * * 1-5'],
    [{ every: 'Sunday at noon' }, { cron: '0 12 * * 0' }, '0 12 * * 0'],
    [{ cron: '@daily' }, { cron: '0 0 * * *' }, '0 0 * * *'],
    [{ in: 'an hour' }, { at: '2026-04-08T13:00:00.000Z' }, '2026-04-08T13:00:00.000Z'],
    [{ in: 'half an hour' }, { at: '2026-04-08T12:30:00.000Z' }, '2026-04-08T12:30:00.000Z'],
    [{ at: '2026-05-01 9:00' }, { at: '2026-05-01T07:00:00.000Z' }, '2026-05-01T07:00:00.000Z'],
    [{ at: '2026-05-01T09:00 +01:00' }, { at: '2026-05-01T08:00:00.000Z' }, '2026-05-01T08:00:00.000Z'],
    [{ at: '2026-05-01t09:00+01' }, { at: '2026-05-01T08:00:00.000Z' }, '2026-05-01T08:00:00.000Z'],
    [{ at: '2026-05-01' }, { at: '2026-04-30T22:00:00.000Z' }, '2026-04-30T22:00:00.000Z'],
  ])('%j', (said, when, told) => {
    expect(readWhen(said, NOW, BERLIN)).toEqual(when)
    expect(sayWhen(readWhen(said, NOW, BERLIN))).toBe(told)
  })

  test.each([
    [{ cron: '0 0 1 13 *' }, /its month is "13", and a month is from 1 to 12/],
    [{ cron: '0 0 0 * *' }, /its day is "0", and a day is from 1 to 31/],
    [{ cron: '0 9 * * 8' }, /its weekday is "8"/],
    [{ cron: '0 22-2 * * *' }, /its hour is "22-2".*a range that goes up/],
    [{ cron: '*/70 * * * *' }, /its minute is "\*\/70"/],
    [{ every: 'Monday' }, /does not say when.*every monday at 9:00/],
    [{ every: 'day at 25:00' }, /names no time of day: "25:00"/],
    [{ every: 'other 10 minutes' }, /not a length of time/],
    [{ at: 'today 9:00' }, /in the past/],
    [{ at: 'tomorrow 24:00' }, /not a moment/],
    [{ at: '13pm' }, /not a moment/],
    [{ at: 'friday' }, /not a moment/],
    [{}, /exactly one of.*none was given/],
    [{ cron: '* * * * *', every: '10m' }, /cron and every were given/],
    [{ cron: '' }, /has 0 fields/],
    [{ cron: 'every day' }, /has 2 fields.*minute hour day/],
    [{ cron: '* * * * * *' }, /has 6 fields/],
    [{ cron: '61 * * * *' }, /is not a schedule/],
    [{ cron: '* 24 * * *' }, /is not a schedule/],
    [{ cron: 'a b c d e' }, /is not a schedule/],
    [{ cron: '*/0 * * * *' }, /is not a schedule/],
    [{ cron: '0 0 30 2 *' }, /never happens/],
    [{ every: 'now and then' }, /not a length of time/],
    [{ every: '10' }, /not a length of time/],
    [{ every: '10 parsecs' }, /not a length of time/],
    [{ every: '-5m' }, /not a length of time/],
    [{ every: '0s' }, /too short/],
    [{ every: '100000 days' }, /too long/],
    [{ in: '' }, /not a length of time/],
    [{ at: 'tomorrow' }, /not a moment/],
    [{ at: '2026-02-30T09:00' }, /not a moment/],
    [{ at: '2026-05-01T25:00' }, /not a moment/],
    [{ at: '2026-05-01T09:00+' }, /not a moment/],
    [{ at: '2026-04-08T11:59:00Z' }, /in the past: it is 2026-04-08 14:00:00 \(Europe\/Berlin\) now/],
    [{ at: '2099-01-01T00:00Z' }, /more than ten years/],
  ])('%j is refused', (said, message) => {
    expect(() => readWhen(said, NOW, BERLIN)).toThrow(BadSchedule)
    expect(() => readWhen(said, NOW, BERLIN)).toThrow(message)
  })

  // Wednesday, 14:00 in Berlin.
  test.each([
    ['15:30', '2026-04-08 15:30'],
    ['9:00', '2026-04-09 09:00'],
    ['2:00 pm', '2026-04-09 14:00'],
    ['at 3pm', '2026-04-08 15:00'],
    ['today 18:00', '2026-04-08 18:00'],
    ['Tomorrow at 9', '2026-04-09 09:00'],
    ['9:30 tomorrow', '2026-04-09 09:30'],
    ['midnight', '2026-04-09 00:00'],
    ['Friday 9:00', '2026-04-10 09:00'],
    ['on monday at noon', '2026-04-13 12:00'],
    ['wednesday 13:00', '2026-04-15 13:00'],
    ['wednesday 16:00', '2026-04-08 16:00'],
    ['2026-05-01 at 9am', '2026-05-01 09:00'],
  ])('at %s', (at, wall) => {
    const when = readWhen({ at }, NOW, BERLIN) as { at: string }
    expect(new Date(when.at).toLocaleString('sv', { timeZone: BERLIN })).toBe(`${wall}:00`)
    expect(readWhen(sayingOf(at), NOW, BERLIN)).toEqual(when)
  })

  test('one line says it too', () => {
    for (const [line, field] of [
      ['every weekday at 9', 'every'],
      ['hourly', 'every'],
      ['in an hour', 'in'],
      ['at 2026-05-01T09:00', 'at'],
      ['*/5 * * * *', 'cron'],
      ['5 4 * * sun', 'cron'],
    ] as const)
      expect(sayingOf(line)).toEqual({ [field]: line })
  })

  test('whatever else is said is understood or refused, and nothing in between', () => {
    const field = fc.stringMatching(/^[-*/0-9,LW#?a-z]{0,8}$/)
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(field, { minLength: 4, maxLength: 6 }).map(fields => fields.join(' ')),
    )
    fc.assert(
      fc.property(fc.oneof(line, fc.constantFrom('__proto__', 'every constructor', 'constructor')), text => {
        try {
          const when = readWhen(sayingOf(text), NOW, BERLIN)
          const start = startAfter({ id: 'x', when, createdAt: NOW.toISOString() }, NOW, BERLIN)
          expect(start?.getTime()).toBeGreaterThanOrEqual(NOW.getTime())
        } catch (error) {
          expect(error).toBeInstanceOf(BadSchedule)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the nights on which clocks change', () => {
  test('02:30 on the night that has none: once, when the clock has jumped', () => {
    const when = { cron: '30 2 * * *' }
    const [before, that, after] = slots(when, '2026-03-27T12:00:00Z', 3).map(slot => slot.slice(5, 16))
    expect([before, that, after]).toEqual([
      expect.stringMatching(/^03-28T01:3/),
      expect.stringMatching(/^03-29T01:/),
      expect.stringMatching(/^03-30T00:3/),
    ])
  })

  test('02:30 on the night that has two: once', () => {
    const starts = slots({ cron: '30 2 * * *' }, '2026-10-24T12:00:00Z', 2)
    expect(starts[0]).toMatch(/^2026-10-25T0[01]:3/)
    expect(starts[1]).toMatch(/^2026-10-26T01:3/)
  })

  test.each([
    ['0 2,14 * * *', ['03:00'], ['02:00']],
    ['30 2,3 * * *', ['03:00', '03:30'], ['02:30', '03:30']],
    ['15,45 2 * * *', ['03:00'], ['02:15', '02:45']],
    [
      '*/30 1-3 * * *',
      ['01:00', '01:30', '03:00', '03:30'],
      ['01:00', '01:30', '02:00', '02:30', '03:00', '03:30'],
    ],
    ['30 */2 * * *', ['00:30', '03:00', '04:30', '06:30'], ['00:30', '02:30', '04:30']],
    ['30 2 29 3 *', ['03:00'], []],
    ['30 2 * * 0', ['03:00'], ['02:30']],
  ])('%s: each time that it names comes once', (cron, spring, autumn) => {
    const wall = new Intl.DateTimeFormat('sv', { timeZone: BERLIN, timeStyle: 'short' })
    const night = (from: string) => {
      const found: string[] = []
      const last = Date.parse(from) + 6 * 60 * MINUTE
      for (let after = new Date(from); ; ) {
        const next = cronTimeAfter(cron, after, BERLIN)
        if (!next || next.getTime() > last) return found
        found.push(wall.format(next))
        after = next
      }
    }
    expect(night('2026-03-28T22:59:59Z')).toEqual(spring)
    expect(night('2026-10-24T21:59:59Z')).toEqual(autumn)
  })

  test('where every hour is meant none is left out, and none comes late', () => {
    for (const [from, hours] of [
      ['2026-03-28T22:59:59Z', ['23', '00', '01', '02', '03']],
      ['2026-10-24T21:59:59Z', ['22', '23', '00', '01', '02']],
    ] as const)
      expect(slots({ cron: '0 * * * *' }, from, 5).map(slot => slot.slice(11, 13))).toEqual(hours)
  })

  test('a moment that does not exist is taken for the one after the jump', () => {
    const { at } = readWhen({ at: '2027-03-28T02:30' }, NOW, BERLIN) as { at: string }
    expect(at).toBe('2027-03-28T01:00:00.000Z')
    const twice = readWhen({ at: '2026-10-25T02:30' }, NOW, BERLIN)
    expect(twice).toEqual({ at: '2026-10-25T00:30:00.000Z' })
  })

  test('an interval goes on by the clock that never jumps', () => {
    const starts = slots({ everyMs: 60 * MINUTE }, '2026-03-28T23:00:00Z', 5)
    expect(starts.map(start => start.slice(11, 13))).toEqual(['00', '01', '02', '03', '04'])
  })

  test.each([BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'UTC'])(
    'in %s no daily job starts twice on a day, or not at all',
    timeZone => {
      const dayOf = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' })
      for (const time of ['0 0', '0 2', '30 2']) {
        const when = { cron: `${time} * * *` }
        let after = new Date('2026-01-01T12:00:00Z')
        const days: string[] = []
        while (after < new Date('2026-12-31T12:00:00Z')) {
          const start = startAfter({ id: 'x', when, createdAt: '2026-01-01T00:00:00Z' }, after, timeZone)
          if (!start || start <= after)
            throw new Error(`${time} in ${timeZone} stops at ${after.toISOString()}`)
          after = start
          days.push(dayOf.format(start))
        }
        expect(new Set(days).size, time).toBe(days.length)
        expect(days.length, time).toBeGreaterThanOrEqual(364)
      }
    },
  )
})

describe('not everything at once', () => {
  const created = '2026-04-08T12:00:00.000Z'
  const startOf = (id: string, when: Parameters<typeof sayWhen>[0]) =>
    (startAfter({ id, when, createdAt: created }, new Date(created), 'UTC')?.getTime() ?? 0) - NOW.getTime()

  test('recurring jobs are late by up to a tenth, at most 15 minutes, and by the same every time', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `job-${at}`)
    const late = (when: Parameters<typeof sayWhen>[0], slot: number) =>
      ids.map(id => startOf(id, when) - slot)
    const tenMinutes = late({ everyMs: 10 * MINUTE }, 10 * MINUTE)
    expect(Math.min(...tenMinutes)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...tenMinutes)).toBeLessThan(MINUTE)
    expect(Math.max(...tenMinutes)).toBeGreaterThan(0.9 * MINUTE)
    const daily = late({ cron: '0 18 * * *' }, 6 * 60 * MINUTE)
    expect(Math.max(...daily)).toBeLessThan(15 * MINUTE)
    expect(Math.max(...daily)).toBeGreaterThan(14 * MINUTE)
    expect(late({ everyMs: 10 * MINUTE }, 10 * MINUTE)).toEqual(tenMinutes)
    expect(new Set(tenMinutes).size).toBeGreaterThan(150)
  })

  test('one-shots at full and half hours are early by up to 90 seconds, others to the second', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `job-${at}`)
    for (const [at, isEarly] of [
      ['2026-04-08T13:00:00.000Z', true],
      ['2026-04-08T13:30:00.000Z', true],
      ['2026-04-08T13:10:00.000Z', false],
      ['2026-04-08T13:30:05.000Z', false],
    ] as const) {
      const early = ids.map(id => Date.parse(at) - NOW.getTime() - startOf(id, { at }))
      expect(Math.min(...early)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...early)).toBeLessThanOrEqual(90_000)
      expect(Math.max(...early) > 0).toBe(isEarly)
    }
  })

  test('a job never starts before it was made', () => {
    for (let at = 0; at < 50; at++)
      expect(startOf(`job-${at}`, { at: '2026-04-08T12:00:10.000Z' })).toBeGreaterThanOrEqual(0)
  })
})
