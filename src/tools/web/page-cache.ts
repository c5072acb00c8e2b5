const KEPT_MS = 15 * 60 * 1_000
/** Together, in bytes; a text takes up to two a character. */
const MOST_BYTES = 32 * 1024 * 1024

export interface CacheOptions {
  now(): number
  mostBytes?: number
}

/** Texts that were read a short while ago, the longest unused forgotten first. One for a conversation. */
export class PageCache<Page extends { text: string }> {
  #pages = new Map<string, { page: Page; at: number; bytes: number }>()
  #bytes = 0
  #now: () => number
  #most: number

  constructor({ now, mostBytes = MOST_BYTES }: CacheOptions) {
    this.#now = now
    this.#most = mostBytes
  }

  get(key: string): Page | undefined {
    const found = this.#pages.get(key)
    if (!found) return undefined
    this.#drop(key)
    if (this.#now() - found.at >= KEPT_MS) return undefined
    this.#put(key, found)
    return found.page
  }

  set(key: string, page: Page): void {
    this.#drop(key)
    const bytes = 2 * (page.text.length + key.length)
    if (bytes > this.#most) return
    this.#put(key, { page, at: this.#now(), bytes })
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
  }

  #put(key: string, kept: { page: Page; at: number; bytes: number }): void {
    this.#pages.set(key, kept)
    this.#bytes += kept.bytes
  }

  #drop(key: string): void {
    this.#bytes -= this.#pages.get(key)?.bytes ?? 0
    this.#pages.delete(key)
  }
}
