/** The cron lines that people mean most often, as they would say them; undefined for any other. */
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export function inWords(cron: string): string | undefined {
  const [minute = '', hour = '', day, month, weekday = '', ...more] = cron.trim().split(/\s+/)
  if (more.length > 0 || month !== '*' || !/^[0-9]+$/.test(minute)) return undefined
  const past = minute.padStart(2, '0')
  if (hour === '*' && day === '*' && weekday === '*') return `each hour at :${past}`
  if (!/^[0-9]+$/.test(hour)) return undefined
  const at = `at ${hour.padStart(2, '0')}:${past}`
  if (day !== '*')
    return /^[0-9]+$/.test(day ?? '') && weekday === '*' ? `on day ${day} of each month ${at}` : undefined
  if (weekday === '*') return `each day ${at}`
  if (weekday === '1-5') return `each weekday ${at}`
  const name = /^[0-7]$/.test(weekday) ? WEEKDAYS[Number(weekday)] : undefined
  return name && `each ${name} ${at}`
}

/** What is asked of the server: a moment that was picked here is meant by the clock here, wherever the server is. */
export function askedWhen(way: string, when: string): Record<string, string> {
  return { [way]: way === 'at' ? new Date(when).toISOString() : when }
}

/** Where the clock of cron lines is not the one that moments are shown by, both are named. */
export function zonesInWords(ofJobs: string, here: string): string {
  return ofJobs === here
    ? `in your time (${here})`
    : `cron lines by the clock of ${ofJobs}, moments by yours (${here})`
}
