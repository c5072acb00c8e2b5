/**
 * Where a client works, when that is not where it has started this: VS Code starts the servers of its owner in the home
 * directory, and tells which folder is open when it is asked.
 */
import { realpathSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { isInside } from '../../store/index.ts'

/** A client that does not say where it works in this time is served where it has started this. */
const PATIENCE_MS = 3_000
/** One that is not on this machine hides none of the others. */
const ROOTS = z.object({ roots: z.array(z.object({ uri: z.string() })) })

/** Lets a client's requests wait, once, until it is known where it works. */
export class RootsFirst implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  #inner: Transport
  /** What came meanwhile. */
  #held: JSONRPCMessage[] | undefined

  constructor(inner: Transport) {
    this.#inner = inner
    inner.onclose = () => this.onclose?.()
    inner.onerror = error => this.onerror?.(error)
    inner.onmessage = message => this.#take(message)
  }

  /** `move` is told the directory that is open, unless this was started in one that is. */
  follow(server: Server, move: (directory: string) => Promise<void>): void {
    server.oninitialized = async () => {
      try {
        const directory = await openIn(server, process.cwd())
        if (directory !== undefined) await move(directory)
      } catch (error) {
        this.onerror?.(error as Error)
      } finally {
        const held = this.#held ?? []
        this.#held = undefined
        for (const message of held) this.onmessage?.(message)
      }
    }
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #take(message: JSONRPCMessage): void {
    const method = 'method' in message ? message.method : undefined
    if (this.#held && method !== undefined) this.#held.push(message)
    else this.onmessage?.(message)
    if (method === 'notifications/initialized') this.#held ??= []
  }
}

async function openIn(server: Server, started: string): Promise<string | undefined> {
  if (!server.getClientCapabilities()?.roots) return undefined
  const { roots } = await server.request({ method: 'roots/list' }, ROOTS, { timeout: PATIENCE_MS })
  const open = roots.flatMap(({ uri }) => directoryAt(uri) ?? [])
  return open.some(directory => isInside(directory, realpathSync(started))) ? undefined : open[0]
}

/** Undefined for what is no directory of this machine. */
function directoryAt(uri: string): string | undefined {
  try {
    const real = realpathSync(fileURLToPath(uri))
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}
