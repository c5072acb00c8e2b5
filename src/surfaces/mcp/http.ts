/** The same over HTTP, as a function from a request to a response that any server can mount. */
import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Lender } from './lender.ts'
import { type Served, serveClient } from './server.ts'

/** Of one request. A memory may have 1 MB, and twice that when it is escaped. */
const LONGEST_BODY_BYTES = 8 * 1024 * 1024
/** Clients that are connected at the same time; beyond it, the one that was silent for longest is let go. */
const MOST_CLIENTS = 100
/** A client that asked nothing for so long and listens to nothing has gone. */
const SILENT_MS = 30 * 60 * 1000
const LOOK_EVERY_MS = 60 * 1000

export interface McpHandlerOptions {
  mostClients?: number
  silentMs?: number
}

interface Client {
  transport: WebStandardStreamableHTTPServerTransport
  served: Served
  lastAsked: number
  /** Streams that it still reads. */
  open: number
}

/** Whoever mounts it has made sure who asks. */
export class McpHandler implements AsyncDisposable {
  #lender: Lender
  #clients = new Map<string, Client>()
  #mostClients: number
  #silentMs: number
  #sweeper: NodeJS.Timeout

  constructor(lender: Lender, { mostClients = MOST_CLIENTS, silentMs = SILENT_MS }: McpHandlerOptions = {}) {
    this.#lender = lender
    this.#mostClients = mostClients
    this.#silentMs = silentMs
    this.#sweeper = setInterval(() => void this.sweep(), Math.min(LOOK_EVERY_MS, silentMs))
    this.#sweeper.unref()
  }

  get clients(): number {
    return this.#clients.size
  }

  /** A standard `fetch` handler: POST, GET and DELETE of one address. */
  fetch = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id')
    const client = id === null ? undefined : this.#clients.get(id)
    if (client) {
      client.lastAsked = Date.now()
      return this.#counted(client, await client.transport.handleRequest(request))
    }
    if (id !== null) return refusal(404, -32_001, 'This session has ended. Begin a new one with initialize.')
    if (request.method !== 'POST') return refusal(400, -32_000, 'Begin with a POST of initialize.')
    return this.#begin(request)
  }

  /** Lets go of clients that have gone without a word. */
  async sweep(now = Date.now()): Promise<void> {
    const silent = [...this.#clients.values()].filter(
      ({ open, lastAsked }) => open === 0 && now - lastAsked >= this.#silentMs,
    )
    await Promise.all(silent.map(({ served }) => served.close()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper)
    await Promise.all([...this.#clients.values()].map(({ served }) => served.close()))
  }

  async #begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LONGEST_BODY_BYTES,
    })
    const served = await serveClient(this.#lender, transport)
    const client: Client = { transport, served, lastAsked: Date.now(), open: 0 }
    const response = await this.#counted(client, await transport.handleRequest(request))
    const { sessionId } = transport
    // It did not begin with initialize.
    if (sessionId === undefined) {
      await served.close()
      return response
    }
    this.#clients.set(sessionId, client)
    const forget = () => void this.#clients.delete(sessionId)
    served.closed.then(forget, forget)
    await this.#makeRoom()
    return response
  }

  async #makeRoom(): Promise<void> {
    while (this.#clients.size > this.#mostClients) {
      const [oldest] = [...this.#clients.entries()].sort(([, a], [, b]) => a.lastAsked - b.lastAsked)
      if (!oldest) return
      this.#clients.delete(oldest[0])
      await oldest[1].served.close()
    }
  }

  /** Counts a stream as open until it was read to its end or given up. */
  #counted(client: Client, response: Response): Response {
    const { body } = response
    if (!body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const reader = body.getReader()
    client.open++
    let open = true
    const ended = () => {
      if (open) client.open--
      open = false
      client.lastAsked = Date.now()
    }
    const counted = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          ended()
          controller.close()
        } catch (error) {
          ended()
          controller.error(error)
        }
      },
      async cancel(reason) {
        ended()
        await reader.cancel(reason)
      },
    })
    return new Response(counted, { status: response.status, headers: response.headers })
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
