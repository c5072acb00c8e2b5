/** Many people talk at the same time, each in a window of their own: what each one says is answered, once and to them. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChatsOptions {
  /** A link that lets a browser in. */
  link: string
  chats: number
  /** Nobody begins another question after so long. */
  forMs?: number
  /** Nobody begins another conversation after so many. */
  conversationsEach?: number
  /** Then a conversation is left and a new one begun. */
  questionsEach: number
  /** Between an answer and the next question. */
  thinkMs: number
  /** An answer that takes longer was dropped. */
  patienceMs: number
}

export interface ChatsReport {
  answered: number
  conversations: number
  /** What went wrong, in words; empty when nothing was dropped. */
  dropped: string[]
  /** Of every answer, in milliseconds. */
  tookMs: number[]
}

type Patch = { put?: { kind: string; text?: string; isProblem?: boolean }; set?: { isWorking?: boolean } }

export async function holdChats(options: ChatsOptions): Promise<ChatsReport> {
  const {
    link,
    chats,
    forMs = Number.POSITIVE_INFINITY,
    conversationsEach = Number.POSITIVE_INFINITY,
  } = options
  const url = new URL(link).origin
  const entered = await fetch(link, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const report: ChatsReport = { answered: 0, conversations: 0, dropped: [], tookMs: [] }
  const until = performance.now() + forMs
  const person = async (name: number) => {
    // They do not all come in the same moment.
    await sleep((name % 50) * 20)
    for (let talk = 0; talk < conversationsEach && performance.now() < until; talk++) {
      const window = new Window(url, cookie, options.patienceMs)
      try {
        await window.open()
        report.conversations++
        for (let n = 0; n < options.questionsEach && performance.now() < until; n++) {
          const took = await window.ask(`marker-${name}-${report.conversations}-${n}`)
          report.tookMs.push(took)
          report.answered++
          await sleep(options.thinkMs)
        }
      } catch (error) {
        report.dropped.push(`chat ${name}: ${error instanceof Error ? error.message : String(error)}`)
      } finally {
        await window
          .close()
          .catch(error => report.dropped.push(`chat ${name} could not be closed: ${String(error)}`))
      }
    }
  }
  await Promise.all(Array.from({ length: chats }, (_, name) => person(name)))
  return report
}

/** As the page does it: a conversation, its stream of events, and one question after the other. */
class Window {
  #url: string
  #cookie: string
  #patienceMs: number
  #session = ''
  #ending = new AbortController()
  #patches: AsyncGenerator<Patch[]> | undefined

  constructor(url: string, cookie: string, patienceMs: number) {
    this.#url = url
    this.#cookie = cookie
    this.#patienceMs = patienceMs
  }

  async open(): Promise<void> {
    const { session, place } = (await this.#api('POST', 'chat', {})) as { session: string; place: string }
    this.#session = session
    this.#patches = this.#listen(place)
  }

  async ask(marker: string): Promise<number> {
    const began = performance.now()
    await this.#api('POST', `chat/${this.#session}/say`, { text: `Say ${marker}.` })
    const patience = setTimeout(
      () => this.#ending.abort(new Error(`no answer to ${marker} in ${this.#patienceMs} ms`)),
      this.#patienceMs,
    )
    try {
      await this.#answerWith(marker)
    } finally {
      clearTimeout(patience)
    }
    return performance.now() - began
  }

  async close(): Promise<void> {
    this.#ending.abort()
    if (this.#session !== '') await this.#api('DELETE', `chat/${this.#session}`)
  }

  async #answerWith(marker: string): Promise<void> {
    let heard = 0
    for (;;) {
      const next = await this.#patches?.next()
      if (!next || next.done) throw new Error(`the stream ended before ${marker} was answered`)
      for (const { put, set } of next.value) {
        if (put?.isProblem) throw new Error(`${marker}: ${put.text}`)
        if (put?.kind === 'reply' && put.text?.includes(`I say ${marker}.`)) heard++
        if (set?.isWorking === false) {
          if (heard !== 1) throw new Error(`${marker} was answered ${heard} times`)
          return
        }
      }
    }
  }

  async *#listen(after: string): AsyncGenerator<Patch[]> {
    const query = new URLSearchParams({ session: this.#session, after })
    const response = await fetch(`${this.#url}/api/events?${query}`, {
      headers: { cookie: this.#cookie },
      signal: this.#ending.signal,
    })
    if (!response.ok) throw new Error(`the stream was refused with ${response.status}`)
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events)
        if (event.includes('\nevent: chat\n'))
          yield (JSON.parse(event.slice(event.indexOf('data: ') + 6)) as { patches: Patch[] }).patches
    }
  }

  async #api(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers: { cookie: this.#cookie, origin: this.#url },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}
