/** After this many in a row, or in all, an attempt is over (4-agent.md). */
const MOST_IN_A_ROW = 3
const MOST_IN_ALL = 20

export interface Denials {
  inARow: number
  inAll: number
}

export const NO_DENIALS: Denials = { inARow: 0, inAll: 0 }

export function countDenial({ inARow, inAll }: Denials, allowed: boolean): Denials {
  return allowed ? { inARow: 0, inAll } : { inARow: inARow + 1, inAll: inAll + 1 }
}

/** Why the attempt is over; undefined while it may go on. */
export function endOfAttempt({ inARow, inAll }: Denials): string | undefined {
  if (inARow >= MOST_IN_A_ROW) return `${inARow} calls in a row were denied, so the attempt ends here.`
  if (inAll >= MOST_IN_ALL) return `${inAll} calls were denied, so the attempt ends here.`
  return undefined
}
