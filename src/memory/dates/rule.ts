import type { Day } from './calendar.ts'

/** One way to say a relative date, and the absolute words for it; nothing when the context speaks against it. */
export interface Rule {
  pattern: RegExp
  to(found: {
    today: Day
    match: RegExpExecArray
    groups: Record<string, string | undefined>
  }): string | undefined
}
