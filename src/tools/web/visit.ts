/** Goes to an address and wherever it leads, never to one that was not checked. */
import { lookup } from 'node:dns/promises'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ReverieError, systemCode } from '../../store/index.ts'
import type { Allowance } from './allowance.ts'
import { ACCEPTED_ENCODINGS, type Body, readBody } from './body.ts'
import { assertReachable, assertVisitable, Refused, redirected, shortened } from './destination.ts'
import { exchange, type Open, openSocket } from './exchange.ts'
import { Patience, TooSlow, unlessAborted, type Waits } from './patience.ts'

/** A machine that could not be reached or did not answer properly. */
class Unreachable extends ReverieError {}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

/** How the network is reached. Tests put their own in its place. */
export interface Network {
  resolve: Resolve
  open: Open
  ca: string | undefined
}

export const INTERNET: Network = {
  // As the machine's other programs resolve it, its hosts file included.
  resolve: async name => (await lookup(name, { all: true })).map(({ address }) => address),
  open: openSocket,
  ca: undefined,
}

export interface Limits extends Waits {
  /** Of a body, in bytes, on the wire and unpacked. */
  bytes: number
  redirects: number
}

export const LIMITS: Limits = { totalMs: 30_000, idleMs: 10_000, bytes: 10_000_000, redirects: 5 }

export interface VisitOptions {
  allowance: Allowance
  network: Network
  limits: Limits
  headers: OutgoingHttpHeaders
  signal: AbortSignal
  /** Whether a body of this content type is worth reading. */
  wants(contentType: string | undefined): boolean
  /** Asked before a redirect to another host is followed. */
  mayFollow?: ((url: string) => boolean | Promise<boolean>) | undefined
}

export interface Visited {
  /** Where it ended. */
  url: URL
  status: number
  contentType: string | undefined
  /** As the answer says it, in bytes. */
  length: number | undefined
  /** Undefined when it was not wanted. */
  body: Body | undefined
}

export async function visit(start: URL, options: VisitOptions): Promise<Visited> {
  const { limits, signal } = options
  using patience = new Patience(limits, signal)
  let url = start
  for (let followed = 0; ; followed++) {
    const response = await answerFrom(url, options, patience)
    const location = redirectOf(response)
    if (location === undefined) return await visited(url, response, options, patience)
    response.destroy()
    if (followed >= limits.redirects) throw tooManyRedirects(start, followed)
    const next = redirected(url, location)
    await assertMayFollow(url, next, options, patience)
    url = next
  }
}

function tooManyRedirects(start: URL, followed: number): Refused {
  const times = followed === 0 ? 'elsewhere' : `more than ${followed} times`
  return new Refused(`${shortened(start.href)} redirects ${times}, which is not followed.`)
}

async function answerFrom(url: URL, { allowance, network, headers }: VisitOptions, patience: Patience) {
  assertVisitable(url, allowance)
  const { signal } = patience
  try {
    const addresses = await addressesOf(url, network.resolve, signal)
    assertReachable(url.hostname, addresses, allowance)
    const sent = { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers }
    const response = await exchange(url, addresses, { ...network, headers: sent, signal })
    // Reading tells of what goes wrong from here on.
    response.on('error', () => {})
    patience.heard()
    return response
  } catch (error) {
    if (error instanceof ReverieError && !(error instanceof TooSlow)) throw error
    if (patience.ranOut)
      throw new Unreachable(`${url.host} ${patience.ranOut.message}, and was given up. Try again later.`)
    signal.throwIfAborted()
    throw new Unreachable(`${url.host} could not be reached: ${whyNot(error)}.`, { cause: error })
  }
}

async function addressesOf({ hostname }: URL, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) ? [bare] : await unlessAborted(resolve(hostname), signal)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  // Headers arrive byte by byte; where they hold more than ASCII, UTF-8 is meant.
  return REDIRECTS.has(statusCode) && location ? Buffer.from(location, 'latin1').toString() : undefined
}

async function assertMayFollow(from: URL, to: URL, { mayFollow }: VisitOptions, patience: Patience) {
  if (!mayFollow || from.host === to.host) return
  if (await patience.during(Promise.resolve(mayFollow(to.href)))) return
  throw new Refused(`${from.host} redirects to ${shortened(to.href)}, which may not be visited.`)
}

async function visited(
  url: URL,
  response: IncomingMessage,
  { limits, wants }: VisitOptions,
  patience: Patience,
): Promise<Visited> {
  const { statusCode: status = 0, headers } = response
  const contentType = headers['content-type']
  const said = headers['content-length']
  const length = said !== undefined && /^\d{1,15}$/.test(said) ? Number(said) : undefined
  if (wants(contentType)) {
    const body = await readBody(response, limits.bytes, patience)
    return { url, status, contentType, length, body }
  }
  response.destroy()
  return { url, status, contentType, length, body: undefined }
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'names cannot be looked up now; is this machine online?',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  ENETUNREACH: 'there is no way to it from this network',
  EHOSTUNREACH: 'there is no way to it from this network',
  ETIMEDOUT: 'it does not answer',
  HPE_HEADER_OVERFLOW: 'the headers of its answer are too long',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody known',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** What the answer itself says is left out of it. */
function whyNot(error: unknown): string {
  const code = systemCode(error) ?? ''
  if (code.startsWith('HPE_') && !REASONS[code]) return `its answer is not HTTP (${code})`
  const reason = REASONS[code]
  if (reason) return `${reason} (${code})`
  return code || (error instanceof Error ? error.message : String(error))
}
