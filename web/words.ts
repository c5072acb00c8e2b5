/** Numbers and times as people say them. */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function ago(at: string, now = Date.now()): string {
  const ms = now - Date.parse(at)
  if (ms < -MINUTE) return inTime(at, now)
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  if (ms < 7 * DAY) return many(Math.floor(ms / DAY), 'day', ' ago')
  return day(at)
}

export function inTime(at: string, now = Date.now()): string {
  const ms = Date.parse(at) - now
  if (ms < -MINUTE) return 'due now'
  if (ms < MINUTE) return 'in a moment'
  if (ms < HOUR) return `in ${Math.round(ms / MINUTE)} min`
  if (ms < DAY) return `in ${Math.round(ms / HOUR)} h`
  return `in ${many(Math.round(ms / DAY), 'day')}`
}

/** Of what a memory says about its age what matters to people; the rest is advice to models. */
export function shortly(note: string): string {
  return note.split(';')[0] ?? note
}

export function ageOf(days: number): string {
  if (days < 1) return 'today'
  if (days < 2) return 'yesterday'
  if (days < 60) return `${Math.floor(days)} days ago`
  return days < 730 ? `${Math.round(days / 30.4)} months ago` : `${Math.round(days / 365)} years ago`
}

export function day(at: string): string {
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date().getFullYear()
  return date.toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    ...(!sameYear && { year: 'numeric' }),
  })
}

export function moment(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

export function many(count: number, one: string, after = ''): string {
  const plural = /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`
  return `${count} ${count === 1 ? one : plural}${after}`
}

export function short(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

export function money(usd: number): string {
  return usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`
}
