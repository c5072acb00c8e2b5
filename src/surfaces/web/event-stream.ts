/** What happens, told to every page that is open; one that was away for a moment hears what it missed. */
import { randomBytes } from 'node:crypto'

export interface PageEvent {
  topic: string
  data: unknown
  /** Only for pages that look at this conversation. */
  session?: string
}

interface Kept {
  at: number
  session: string | undefined
  text: string
}

export interface EventStreamOptions {
  /** Events that can be heard again. */
  kept?: number
  beatMs?: number
}

const KEPT = 5_000
/** Of a page that does not read; it comes back and hears the rest. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** Something is said so often, so that nobody takes the silence for an end. */
const BEAT_MS = 15_000

export class EventStream implements Disposable {
  /** Tells the events of this start from those of another. */
  readonly #epoch = randomBytes(4).toString('hex')
  #at = 0
  #kept: Kept[] = []
  #most: number
  #readers = new Set<Reader>()
  #beat: NodeJS.Timeout

  constructor({ kept = KEPT, beatMs = BEAT_MS }: EventStreamOptions = {}) {
    this.#most = kept
    this.#beat = setInterval(() => this.#sayTo(() => true, ': still here\n\n'), beatMs)
    this.#beat.unref()
  }

  /** The place from which on everything is news. */
  get place(): string {
    return `${this.#epoch}-${this.#at}`
  }

  get readers(): number {
    return this.#readers.size
  }

  tell({ topic, data, session }: PageEvent): void {
    const at = ++this.#at
    const text = `id: ${this.#epoch}-${at}\nevent: ${topic}\ndata: ${JSON.stringify(data)}\n\n`
    this.#kept.push({ at, session, text })
    // Dropping one at a time would move all the others for each event.
    if (this.#kept.length > 2 * this.#most) this.#kept.splice(0, this.#most)
    this.#sayTo(reader => session === undefined || session === reader.session, text)
  }

  /** What comes after a place; `reset` first when that can no longer be told. */
  read({ after, session }: { after?: string | undefined; session?: string | undefined }): Response {
    const reader: Reader = { session, controller: undefined }
    const missed = this.#missed(after, session)
    const stream = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          reader.controller = controller
          this.#readers.add(reader)
          this.#say(reader, new TextEncoder().encode(`retry: 1000\nevent: hello\ndata: {}\n\n${missed}`))
        },
        cancel: () => void this.#readers.delete(reader),
      },
      { highWaterMark: MOST_WAITING_BYTES, size: chunk => chunk?.byteLength ?? 0 },
    )
    return new Response(stream, {
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
    })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#beat)
    for (const reader of this.#readers) this.#end(reader)
  }

  #missed(after: string | undefined, session: string | undefined): string {
    if (after === undefined) return ''
    const [epoch, number = ''] = after.split('-')
    const at = Number(number)
    const first = this.#kept[0]?.at ?? this.#at + 1
    if (epoch !== this.#epoch || !Number.isInteger(at) || at + 1 < first || at > this.#at)
      return `id: ${this.place}\nevent: reset\ndata: {}\n\n`
    return this.#kept
      .filter(each => each.at > at && (each.session === undefined || each.session === session))
      .map(({ text }) => text)
      .join('')
  }

  #sayTo(which: (reader: Reader) => boolean, text: string): void {
    const bytes = new TextEncoder().encode(text)
    for (const reader of this.#readers) if (which(reader)) this.#say(reader, bytes)
  }

  #say(reader: Reader, bytes: Uint8Array): void {
    const { controller } = reader
    try {
      controller?.enqueue(bytes)
      // It does not read: rather than keeping all of it for it, it is sent to come again.
      if ((controller?.desiredSize ?? 0) <= 0) this.#end(reader)
    } catch {
      this.#readers.delete(reader) // it has gone
    }
  }

  #end(reader: Reader): void {
    this.#readers.delete(reader)
    try {
      reader.controller?.close()
    } catch {
      // It has gone already.
    }
  }
}

interface Reader {
  session: string | undefined
  controller: ReadableStreamDefaultController<Uint8Array> | undefined
}
