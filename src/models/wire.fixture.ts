import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicWire } from './wire-anthropic.fixture.ts'
import { chatWire } from './wire-chat.fixture.ts'
import { googleWire } from './wire-google.fixture.ts'
import type { Fault, Reply, Stream, Wire, WireRequest } from './wire-reply.fixture.ts'
import { responsesWire } from './wire-responses.fixture.ts'

export type { Reply, WireRequest } from './wire-reply.fixture.ts'

/** A reply, or what makes one of the request; `n` counts all requests from 0. */
export type Line = Reply | ((request: WireRequest, n: number) => Reply | Promise<Reply>)

const WIRES: ReadonlyArray<readonly [end: string, wire: Wire]> = [
  ['/messages', anthropicWire],
  ['/chat/completions', chatWire],
  ['/responses', responsesWire],
  [':generateContent', googleWire],
  [':streamGenerateContent', googleWire],
]

/**
 * A provider on the wire, which says what it is told to and breaks as it is told to: Anthropic's Messages, OpenAI's
 * Chat Completions and Responses, Google's generateContent, streamed or whole, on a port of this machine.
 *
 * ```ts
 * await using provider = await startFakeProvider({ text: 'Hello.' }, { fault: { status: 529 } })
 * const config = { ...DEFAULTS, providers: provider.settings('anthropic', 'custom') }
 * ```
 */
export async function startFakeProvider(...lines: Line[]): Promise<FakeProvider> {
  const provider = new FakeProvider()
  await provider.listen()
  provider.say(...lines)
  return provider
}

/** How its prompt begins. */
const EXTRACTION = 'You look after the memory of an assistant, beside its conversation'

export class FakeProvider {
  /** Every request, in the order of arrival. */
  readonly requests: WireRequest[] = []
  /** Those for which nothing was left to say. A test that expects none should check. */
  readonly unanswered: WireRequest[] = []
  /** Requests of the job that looks for what to remember after an answer. They take no line that was meant for another. */
  readonly extractions: WireRequest[] = []
  #extractionLines: Line[] = []
  #lines: Line[] = []
  #always: Line | undefined
  #server: Server
  #open = new Set<Socket>()
  #port = 0
  #closed = false

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      this.#handle(incoming, outgoing).catch(error => outgoing.destroy(error as Error))
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** `http://127.0.0.1:PORT`, without a version. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** How many lines have not been said yet. */
  get left(): number {
    return this.#lines.length
  }

  /** Settings of the given providers that lead here, with a key that tests can look for. */
  settings(...providers: string[]): Record<string, { apiKey: string; baseUrl: string }> {
    return Object.fromEntries(
      providers.map(name => [name, { apiKey: 'sk-fake-0123456789abcdef', baseUrl: this.url }]),
    )
  }

  /** One line for each request to come. */
  say(...lines: Line[]): void {
    this.#lines.push(...lines)
    this.#refuseIfNext()
  }

  /** The same for the job that looks for what to remember, which finds nothing unless told. */
  sayToExtraction(...lines: Line[]): void {
    this.#extractionLines.push(...lines)
  }

  /** For every request that has no line of its own. */
  always(line: Line): void {
    this.#always = line
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        this.#port = (this.#server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  /** Nobody listens on the port any more. What is being answered goes on. */
  refuse(): void {
    this.#server.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#open) socket.destroy()
    if (this.#server.listening) await new Promise(resolve => this.#server.close(resolve))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Closes the port if that is what comes next; its time starts when the reply before it is through. */
  #refuseIfNext(before: Promise<void> = Promise.resolve()): void {
    const [next] = this.#lines
    if (typeof next !== 'object' || !next.fault || !('refuse' in next.fault)) return
    const { refuse } = next.fault
    this.refuse()
    const open = () => {
      this.#lines.shift()
      if (!this.#closed) void this.listen().then(() => this.#refuseIfNext())
    }
    void before.then(() => setTimeout(open, refuse).unref())
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const text = await readAll(incoming)
    const path = incoming.url ?? ''
    const n = this.requests.length
    const request = { path, headers: incoming.headers, body: parse(text), text, at: Date.now(), n }
    const isExtraction = text.includes(EXTRACTION)
    const heard = isExtraction ? this.extractions : this.requests
    heard.push(request)
    // One connection for each request: what happens to one does not touch the next.
    outgoing.setHeader('connection', 'close')
    const wire = WIRES.find(([end]) => path.split('?')[0]?.endsWith(end))?.[1]
    const next = () =>
      isExtraction
        ? (this.#extractionLines.shift() ?? { text: 'DONE', usage: { input: 0, output: 0 } })
        : (this.#lines.shift() ?? this.#always)
    const line = wire && next()
    if (!wire || !line) {
      this.unanswered.push(request)
      const message = `The fake provider has nothing to say to request ${n + 1}, ${incoming.method} ${path}.`
      return sendJson(outgoing, 500, (wire ?? chatWire).errorBody('api_error', message, 500))
    }
    const reply = typeof line === 'function' ? await line(request, n) : line
    this.#refuseIfNext(untilClosed(outgoing))
    await answer(outgoing, wire, reply, request)
  }
}

async function answer(outgoing: ServerResponse, wire: Wire, reply: Reply, request: WireRequest) {
  const { fault } = reply
  if (fault && 'status' in fault) return sendError(outgoing, wire, fault)
  const isCut = fault && (('dropAfter' in fault && fault.dropAfter === 'request') || 'refuse' in fault)
  if (isCut) return outgoing.destroy()
  if (fault && 'stall' in fault && fault.stall === 'request') return untilClosed(outgoing)
  const streamed = request.body?.stream === true || request.path.includes(':streamGenerateContent')
  const stream = streamed ? wire.stream(reply, request) : inHalves(wire.whole(reply, request))
  outgoing.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
  outgoing.flushHeaders()
  return send(outgoing, stream, wire, fault)
}

/** A whole reply can break in its middle, too. */
function inHalves(body: unknown): Stream {
  const text = JSON.stringify(body)
  const middle = Math.floor(text.length / 2)
  return { content: [text.slice(0, middle)], finish: [text.slice(middle)] }
}

async function send(outgoing: ServerResponse, { content, finish }: Stream, wire: Wire, fault?: Fault) {
  const all = [...content, ...finish]
  const upTo = (count: number | 'content') => all.slice(0, count === 'content' ? content.length : count)
  if (!fault || 'badJson' in fault) {
    await write(outgoing, all)
  } else if ('trickle' in fault) {
    for (const frame of all) {
      await write(outgoing, [frame])
      await sleep(fault.trickle)
    }
  } else if ('pauseAfter' in fault) {
    await write(outgoing, upTo(fault.pauseAfter))
    await fault.until
    await write(outgoing, all.slice(fault.pauseAfter))
  } else if ('dropAfter' in fault && fault.dropAfter !== 'request') {
    await write(outgoing, upTo(fault.dropAfter))
    return outgoing.destroy()
  } else if ('earlyEnd' in fault) {
    await write(outgoing, upTo(fault.earlyEnd))
  } else if ('errorEvent' in fault) {
    const { errorEvent, message = 'Overloaded', after = 'content' } = fault
    await write(outgoing, [...upTo(after), wire.errorFrame(errorEvent, message)])
  } else if ('garbage' in fault) {
    const before = upTo(fault.garbage)
    await write(outgoing, [...before, 'data: {"\u0000\uFFFD<html>\n\n', ...all.slice(before.length)])
  } else if ('stall' in fault && fault.stall !== 'request') {
    await write(outgoing, upTo(fault.stall))
    return untilClosed(outgoing)
  }
  outgoing.end()
}

function untilClosed(outgoing: ServerResponse): Promise<void> {
  return new Promise(resolve => outgoing.once('close', () => resolve()))
}

/** Each frame is on its way before the next, so that a cut comes exactly after what was sent. */
async function write(outgoing: ServerResponse, frames: readonly string[]): Promise<void> {
  for (const frame of frames) {
    if (outgoing.destroyed) return
    await new Promise<void>(resolve => outgoing.write(frame, () => resolve()))
  }
}

function sendError(outgoing: ServerResponse, wire: Wire, fault: Extract<Fault, { status: number }>): void {
  const { status, headers = {}, type = 'api_error', message = 'It failed.', body } = fault
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
  if (body !== undefined) outgoing.writeHead(status).end(body)
  else sendJson(outgoing, status, wire.errorBody(type, message, status))
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
