import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createRawServer,
  connect as net,
  type Server,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'
import type { Tool, ToolContext } from '../tool.ts'
import { CERTIFICATE, PRIVATE_KEY } from './certificate.fixture.ts'
import type { Network } from './visit.ts'

/** Stand for public addresses: tests lead them to servers of this machine. */
export const PUBLIC = '93.184.215.14'
export const OTHER_PUBLIC = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'

export interface Site {
  port: number
  /** How many connections were made. */
  connections(): number
}

export function site(listener: RequestListener): Promise<Site> {
  return listening(createServer(listener))
}

export function secureSite(listener: RequestListener): Promise<Site> {
  return listening(createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener))
}

/** Speaks whatever it likes. */
export function rawSite(listener: (socket: Socket) => void): Promise<Site> {
  return listening(
    createRawServer(socket => {
      socket.on('error', () => {}).resume()
      listener(socket)
    }),
  )
}

async function listening(server: Server): Promise<Site> {
  let connections = 0
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/**
 * An internet of the servers given, by host. Every name has the same public address unless `names` says otherwise (a
 * function is asked each time). What is connected to is written down, and nothing else is ever connected to.
 */
export function internet(
  sites: Record<string, Site>,
  names: Record<string, string[] | (() => string[])> = {},
) {
  const opened: string[] = []
  const resolved: string[] = []
  const network: Network = {
    resolve: async name => {
      resolved.push(name)
      const given = names[name]
      if (given !== undefined) return typeof given === 'function' ? given() : given
      if (sites[name]) return [PUBLIC]
      throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
    },
    open: async addresses => {
      opened.push(...addresses)
      const name = resolved.at(-1) ?? ''
      const found = sites[name]
      if (!found) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      const socket = net(found.port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise(resolve => socket.once('connect', resolve))
      return socket
    },
    ca: CERTIFICATE,
  }
  return { network, opened, resolved }
}

/** Runs a tool as the runner does, its input checked. */
export function call(
  tool: Tool | undefined,
  input: unknown,
  signal = new AbortController().signal,
): Promise<string> {
  if (!tool) throw new Error('no such tool')
  const context: ToolContext = { call: 'c1', signal, progress() {}, ask: undefined }
  return tool.run(tool.input.parse(input), context).then(({ text }) => text)
}
