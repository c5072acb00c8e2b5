/** Listening on an address, with bounds for whoever is slow, silent or too many. */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { because, ReverieError, systemCode } from '../../store/index.ts'

/** In milliseconds. */
export interface Patience {
  /** For the headers of a request. */
  headers: number
  /** For all of a request, its body included. */
  request: number
  /** Between two requests of one connection. */
  between: number
  /** For a connection on which nothing moves; a stream says something more often. */
  silence: number
}

export interface ListenOptions {
  /** Any free one when it is 0. */
  port: number
  /** This machine alone unless told. */
  address?: string | undefined
  /** Any free port when this one is taken. */
  orAnother?: boolean
  patience?: Partial<Patience>
}

export interface HttpServer extends AsyncDisposable {
  /** Where it is reached, such as `http://127.0.0.1:4180`. */
  url: string
  port: number
}

/** A port or an address that cannot be listened on. */
class CannotListen extends ReverieError {}

export const LOOPBACK = '127.0.0.1'

const PATIENCE: Patience = { headers: 10_000, request: 30_000, between: 10_000, silence: 10 * 60_000 }
/** A cookie, a key and what a browser sends besides are a few KB. */
const HEADER_BYTES = 16 * 1024
const MOST_CONNECTIONS = 1_000
/** Node looks for requests that take too long this often; they end at most so much later. */
const LOOK_EVERY_MS = 1_000

export async function listen(
  fetch: (request: Request, environment: object) => Response | Promise<Response>,
  options: ListenOptions,
): Promise<HttpServer> {
  const { address = LOOPBACK, orAnother = false } = options
  const patience = { ...PATIENCE, ...options.patience }
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.between,
      connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, patience.headers, patience.request),
      maxHeaderSize: HEADER_BYTES,
    },
    getRequestListener((request, environment) => fetch(request, environment)),
  )
  server.setTimeout(patience.silence)
  server.maxConnections = MOST_CONNECTIONS
  // Node tells its connections apart by when their requests began, and loses one of two that began at the same tick
  // of the clock; on some virtual machines one takes 20 ms.
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const begin = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, address, () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await begin(options.port).catch(error => {
      if (!orAnother || systemCode(error) !== 'EADDRINUSE') throw error
      return begin(0)
    })
  } catch (error) {
    throw new CannotListen(
      `Could not listen on ${address}:${options.port}: ${why(error)}. Choose another with --port.`,
      { cause: error },
    )
  }
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>(resolve => void server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function why(error: unknown): string {
  const code = systemCode(error)
  if (code === 'EADDRINUSE') return 'something else listens there'
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have that address'
  return because(error)
}
