/** What happens on the server, as it happens: one stream for all of the page. */
import { signal } from '@preact/signals'
import { api, isLockedOut } from './api.ts'

type Listener = (data: unknown) => void

/** How long a page that nobody sees stays connected: browsers allow only few connections to one server. */
const UNSEEN_MS = 20_000
const TRY_AGAIN_MS = 1_500

export const isConnected = signal(true)

class Live {
  #source: EventSource | undefined
  #listeners = new Map<string, Set<Listener>>()
  #session: string | undefined
  #after: string | undefined
  #unseen: number | undefined
  #again: number | undefined

  start(): void {
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#unseen)
      if (document.visibilityState === 'visible') this.#source ?? this.#connect()
      else this.#unseen = window.setTimeout(() => this.#disconnect(), UNSEEN_MS)
    })
    this.#connect()
  }

  on(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** From now on also what is said in one conversation, from a place on. */
  look(session: string | undefined, after?: string): void {
    if (this.#session === session && after === undefined) return
    this.#session = session
    if (after !== undefined) this.#after = after
    this.#disconnect()
    this.#connect()
  }

  #connect(): void {
    clearTimeout(this.#again)
    const query = new URLSearchParams()
    if (this.#session !== undefined) query.set('session', this.#session)
    if (this.#after !== undefined) query.set('after', this.#after)
    const source = new EventSource(`/api/events?${query}`)
    this.#source = source
    const topics = ['chat', 'chats', 'memory', 'dream', 'tasks', 'cron', 'background', 'sessions', 'settings']
    for (const topic of topics)
      source.addEventListener(topic, event => {
        this.#after = event.lastEventId
        this.#tell(topic, JSON.parse(event.data))
      })
    source.addEventListener('hello', () => {
      isConnected.value = true
    })
    source.addEventListener('reset', event => {
      this.#after = event.lastEventId
      this.#tell('reset', {})
    })
    source.onerror = () => {
      if (this.#source !== source) return
      isConnected.value = false
      this.#disconnect()
      this.#again = window.setTimeout(() => void this.#reconnect(), TRY_AGAIN_MS)
    }
  }

  /** A server that does not know this browser any more is not asked again and again. */
  async #reconnect(): Promise<void> {
    await api.get('settings').catch(() => {})
    if (!isLockedOut.value) this.#connect()
  }

  #disconnect(): void {
    this.#source?.close()
    this.#source = undefined
  }

  #tell(topic: string, data: unknown): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(data)
  }
}

export const live = new Live()
