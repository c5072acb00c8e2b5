/** How often, and how many at the same time, the holder of a key may ask. */
import { Refusal } from './refusal.ts'

export interface LimitSettings {
  requestsPerMinute: number
  atOnce: number
}

const MINUTE_MS = 60_000
const SECOND_MS = 1_000
/** Keys that have not asked for long are forgotten: their allowance is full again. */
const MOST_KEPT = 1_000

interface Allowance {
  /** What is left of a minute's requests. */
  left: number
  at: number
  running: number
}

export class Limits {
  #now: () => number
  #keys = new Map<string, Allowance>()
  #running = 0
  #mostInAll: number

  constructor({ now = () => performance.now(), mostInAll = 32 } = {}) {
    this.#now = now
    this.#mostInAll = mostInAll
  }

  /** Counts a request from its beginning until what this returns is called; refuses it where there are too many. */
  begin(key: string, { requestsPerMinute, atOnce }: LimitSettings): () => void {
    const allowance = this.#allowanceOf(key, requestsPerMinute)
    if (allowance.left < 1) {
      const after = Math.ceil(((1 - allowance.left) * MINUTE_MS) / requestsPerMinute / SECOND_MS)
      throw new Refusal(
        429,
        'rate_limit_exceeded',
        `At most ${requestsPerMinute} requests a minute. Ask again in ${after} s.`,
        { after },
      )
    }
    if (allowance.running >= atOnce)
      throw new Refusal(
        429,
        'rate_limit_exceeded',
        `At most ${atOnce} requests at the same time. Wait for one of them.`,
        { after: 1 },
      )
    if (this.#running >= this.#mostInAll)
      throw new Refusal(
        429,
        'rate_limit_exceeded',
        'Too much is being answered at the moment. Ask again soon.',
        { after: 2 },
      )
    allowance.left -= 1
    allowance.running++
    this.#running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      allowance.running--
      this.#running--
    }
  }

  /** What was used comes back evenly. */
  #allowanceOf(key: string, requestsPerMinute: number): Allowance {
    const now = this.#now()
    const known = this.#keys.get(key) ?? { left: requestsPerMinute, at: now, running: 0 }
    const back = ((now - known.at) * requestsPerMinute) / MINUTE_MS
    known.left = Math.min(requestsPerMinute, known.left + back)
    known.at = now
    this.#keys.set(key, known)
    if (this.#keys.size > MOST_KEPT)
      for (const [other, { running, at }] of this.#keys)
        if (running === 0 && now - at > MINUTE_MS) this.#keys.delete(other)
    return known
  }
}
