import { InvalidArgumentError } from 'commander'

const UNITS_MS: Record<string, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}

/** A point in time as people write it: a date, or how long ago (`3 days`, `2w`, `12h`). */
export function parseTime(text: string): Date {
  const [, count, unit = ''] = /^(\d+)\s*([a-z]+?)s?(?:\s+ago)?$/i.exec(text.trim()) ?? []
  const name = Object.keys(UNITS_MS).find(
    name => name === unit.toLowerCase() || name[0] === unit.toLowerCase(),
  )
  if (count !== undefined && name !== undefined)
    return new Date(Date.now() - Number(count) * (UNITS_MS[name] ?? 0))
  if (text.trim().toLowerCase() === 'today') return startOfDay(0)
  if (text.trim().toLowerCase() === 'yesterday') return startOfDay(-1)
  // A date alone means midnight where the person is, not in Greenwich.
  const dated = /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T00:00` : text
  const time = /\d{4}/.test(dated) ? new Date(dated) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It should be a date such as 2026-04-01, or "3 days", "2 weeks".')
  return time
}

function startOfDay(offset: number): Date {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() + offset)
  return day
}
