/** Who may see the page: a link lets in one browser, once, and a cookie keeps it in. */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import { PRIVATE_FILE, readSmallFile, withLock, writeFileAtomic } from '../../store/index.ts'

/** A browser that was let in. What is kept of its cookie cannot be turned back into it. */
interface Visitor {
  hash: string
  since: string
  /** The day that it came last. */
  seen: string
}

export interface DoorOptions {
  now?: () => Date
}

const SECRET_BYTES = 32
/** Browsers are remembered so long after their last visit. */
export const VISIT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
/** Beyond it, the one that was away for longest is let go. */
const MOST_VISITORS = 20
/** Links that were made and not used. */
const MOST_LINKS = 20

/** Visitors are kept in the home, so that a page that is open goes on after the server was started again. */
export class Door {
  #home: Home
  #file: string
  #now: () => Date
  #visitors: Visitor[] | undefined
  /** Hashes of tokens that nobody has used yet; the oldest first. */
  #tokens = new Set<string>()

  constructor(home: Home, { now = () => new Date() }: DoorOptions = {}) {
    this.#home = home
    this.#file = join(home.path, 'page.json')
    this.#now = now
  }

  /** Lets in whoever shows it first. */
  makeToken(): string {
    const token = randomBytes(SECRET_BYTES).toString('base64url')
    this.#tokens.add(hashOf(token))
    const [oldest = ''] = this.#tokens
    if (this.#tokens.size > MOST_LINKS) this.#tokens.delete(oldest)
    return token
  }

  /** A cookie for a token that was not used before. */
  async enter(token: string): Promise<string | undefined> {
    if (!this.#tokens.delete(hashOf(token))) return undefined
    const cookie = randomBytes(SECRET_BYTES).toString('base64url')
    const now = this.#now().toISOString()
    const visitor = { hash: hashOf(cookie), since: now, seen: now.slice(0, DAY_LENGTH) }
    await this.#change(visitors => [...visitors, visitor])
    return cookie
  }

  /** Whether a cookie is one that was given out here, and its browser was not away for too long. */
  async admits(cookie: string): Promise<boolean> {
    const hash = hashOf(cookie)
    // Equal hashes are compared, not secrets: nothing can be learnt from how long it takes.
    const visitor = this.#present(this.#known()).find(each => each.hash === hash)
    if (!visitor) return false
    const today = this.#now().toISOString().slice(0, DAY_LENGTH)
    if (visitor.seen !== today)
      await this.#change(visitors =>
        visitors.map(each => (each.hash === hash ? { ...each, seen: today } : each)),
      )
    return true
  }

  /** Every browser has to come with a new link. */
  async sendAllAway(): Promise<void> {
    this.#tokens.clear()
    await this.#change(() => [])
  }

  #known(): Visitor[] {
    this.#visitors ??= this.#read()
    return this.#visitors
  }

  #present(visitors: readonly Visitor[]): Visitor[] {
    const oldest = this.#now().getTime() - VISIT_DAYS * DAY_MS
    return visitors.filter(({ seen }) => Date.parse(seen) >= oldest)
  }

  /** A file that is none lets nobody in; the next visitor makes it anew. */
  #read(): Visitor[] {
    try {
      const { visitors } = JSON.parse(readSmallFile(this.#file) ?? '{}') as { visitors?: unknown }
      return Array.isArray(visitors) ? visitors.filter(isVisitor) : []
    } catch {
      return []
    }
  }

  async #change(edit: (visitors: Visitor[]) => Visitor[]): Promise<void> {
    await prepareHome(this.#home)
    await withLock(join(this.#home.cache, 'page-lock'), async () => {
      const visitors = edit(this.#present(this.#read()))
        .toSorted((a, b) => (a.seen < b.seen ? 1 : -1))
        .slice(0, MOST_VISITORS)
      await writeFileAtomic(this.#file, `${JSON.stringify({ visitors }, null, 2)}\n`, { mode: PRIVATE_FILE })
      this.#visitors = visitors
    })
  }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

function isVisitor(value: unknown): value is Visitor {
  const { hash, since, seen } = (value ?? {}) as Record<string, unknown>
  return /^[0-9a-f]{64}$/.test(String(hash)) && [since, seen].every(text => typeof text === 'string')
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
