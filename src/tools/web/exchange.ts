/** One GET over a connection to addresses that were checked. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { plainHost } from './allowance.ts'
import { portOf } from './destination.ts'
import { unlessAborted } from './patience.ts'

/** Headers of an answer, in bytes: several times what browsers accept of cookies and policies. */
const LONGEST_HEADERS = 64 * 1024

/** Opens a connection to one of these addresses; tests lead it elsewhere. */
export type Open = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>

export interface ExchangeOptions {
  headers: OutgoingHttpHeaders
  signal: AbortSignal
  open: Open
  /** Certificates to trust instead of the usual ones. */
  ca: string | undefined
}

/** The name is not resolved again: what was checked is what is connected to. */
export const openSocket: Open = async (addresses, port, signal) => {
  const found = addresses.map(address => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_name, { all }, answer) => {
    const [first] = found
    if (all) answer(null, found)
    else answer(null, first?.address ?? '', first?.family)
  }
  const socket = connect({ host: 'checked.invalid', port, lookup, signal })
  await connected(socket, 'connect', signal)
  return socket
}

async function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once(event, resolve)
  // Stays, for errors after it: those reach whoever reads.
  socket.on('error', reject)
  socket.once('close', () => reject(new Error('the connection was closed')))
  try {
    await unlessAborted(promise, signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

export async function exchange(
  url: URL,
  addresses: readonly string[],
  { headers, signal, open, ca }: ExchangeOptions,
): Promise<IncomingMessage> {
  const plain = await open(addresses, portOf(url), signal)
  const socket = url.protocol === 'https:' ? await secured(plain, url, ca, signal) : plain
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request({
    createConnection: () => socket,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...headers, connection: 'close' },
    maxHeaderSize: LONGEST_HEADERS,
    signal,
  })
  outgoing.once('response', resolve)
  outgoing.on('error', reject)
  outgoing.end()
  try {
    return await unlessAborted(promise, signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function secured(socket: Socket, url: URL, ca: string | undefined, signal: AbortSignal) {
  const host = plainHost(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...(ca !== undefined && { ca }),
  })
  await connected(secure, 'secureConnect', signal)
  return secure
}
