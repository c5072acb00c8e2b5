/** Time zones: which there are, and the one of this machine. */

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** By its name, where it has one that can be used. */
export function machineTimeZone(): string {
  return usableZone(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date().getTimezoneOffset())
}

/**
 * Where TZ is empty, or a rule such as UTC+3, the machine knows no zone by name, or one that it does not know itself:
 * how far its clocks are from UTC is what is left. `behindMinutes` is what Date calls its offset.
 */
export function usableZone(name: string | undefined, behindMinutes: number): string {
  if (name !== undefined && isTimeZone(name)) return name
  if (behindMinutes === 0) return 'UTC'
  const minutes = Math.abs(behindMinutes)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  return `${behindMinutes > 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
