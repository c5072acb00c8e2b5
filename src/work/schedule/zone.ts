/** What the clocks of a time zone show, and when they show it: in two nights of a year that is no simple matter. */

const DAY = 24 * 60 * 60 * 1_000

/** Times on the wall are counted as if they were UTC. */
export interface Zone {
  /** What a clock there shows. */
  wallOf(moment: Date): number
  /**
   * When a clock there shows it: the first time, where it does so twice; the moment of the jump, where it never does.
   * Later on the wall is never earlier in truth.
   */
  momentOf(wall: number): Date
}

export function zoneOf(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone, calendar: 'iso8601', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const wallOf = (moment: Date): number => {
    const shown = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0
    const day = Date.UTC(part('year'), part('month') - 1, part('day'))
    const time = (part('hour') * 60 + part('minute')) * 60 + part('second')
    return day + time * 1_000 + (((moment.getTime() % 1_000) + 1_000) % 1_000)
  }
  const offsetAt = (time: number) => wallOf(new Date(time)) - time
  const momentOf = (wall: number): Date => {
    const before = offsetAt(wall - DAY)
    const after = offsetAt(wall + DAY)
    const shows = [wall - before, wall - after].sort((a, b) => a - b)
    const first = shows.find(time => time + offsetAt(time) === wall)
    if (first !== undefined) return new Date(first)
    // The clocks jump over it, somewhere between these two.
    let [old = 0, changed = 0] = shows
    while (changed - old > 1) {
      const middle = Math.floor((old + changed) / 2)
      if (offsetAt(middle) === before) old = middle
      else changed = middle
    }
    return new Date(changed)
  }
  return { wallOf, momentOf }
}

/** What a clock there shows, to the second. */
export function sayWall(moment: Date, timeZone: string): string {
  return moment.toLocaleString('sv', { timeZone })
}

/** The same, where it may be read elsewhere. */
export function sayMoment(moment: Date, timeZone: string): string {
  return `${sayWall(moment, timeZone)} (${timeZone})`
}
