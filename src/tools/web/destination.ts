/** Where a request may go: the decisions, without a network. */
import { ReverieError } from '../../store/index.ts'
import { notPublic, readAddress } from './address.ts'
import { type Allowance, plainHost } from './allowance.ts'

/** An address that is not visited, and why. */
export class Refused extends ReverieError {}

/** Above 1023, ports on which something else than the web listens (the Fetch Standard's bad ports). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])
const LOWEST_FREE_PORT = 1024

const LONGEST_URL = 8_192

/** Reads an address, against the one that led here if any. */
export function readUrl(text: string, base?: URL): URL {
  const url = text.length <= LONGEST_URL ? URL.parse(text, base?.href) : null
  if (!url) throw new Refused(`${shortened(text)} is not an address: expected https://HOST/PATH.`)
  return url
}

/** The port and the name; what it resolves to is judged by `assertReachable`. */
export function assertVisitable(url: URL, allowance: Allowance): void {
  const { protocol, hostname } = url
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Refused(`Only http and https are visited, not ${shortened(protocol)}`)
  if (url.username !== '' || url.password !== '')
    throw new Refused('An address with a user name or a password in it is not visited. Leave them out.')
  const port = portOf(url)
  if (port !== 80 && port !== 443 && (port < LOWEST_FREE_PORT || BAD_PORTS.has(port)))
    throw new Refused(`Port ${port} is not for the web, so ${url.host} is not visited.`)
  if (isThisMachine(hostname) && !allowance.host(hostname)) throw notReachable(hostname, 'this machine')
}

export function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** These names are this machine's wherever a resolver says they are (RFC 6761). */
function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost$/.test(plainHost(hostname))
}

/** Every address of a host has to be public: one that is not means a mistake or a trap. */
export function assertReachable(hostname: string, addresses: readonly string[], allowance: Allowance): void {
  if (addresses.length === 0) throw new Refused(`${hostname} has no address. Check how it is spelled.`)
  if (allowance.host(hostname)) return
  for (const text of addresses) {
    const address = readAddress(text)
    const problem = address ? notPublic(address) : 'no known network'
    if (problem !== undefined && !(address && allowance.address(address)))
      throw notReachable(hostname, problem, text)
  }
}

function notReachable(hostname: string, what: string, address = ''): Refused {
  const shown = address === '' || hostname.includes(address) ? hostname : `${hostname} (${address})`
  return new Refused(
    `${shown} is not on the public internet (it is for ${what}), so it is not visited. ` +
      'The owner can allow it in web.allowPrivate.',
  )
}

/** What another address asks to be visited instead. */
export function redirected(from: URL, location: string): URL {
  const to = readUrl(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new Refused(
      `${from.host} redirects from https to ${shortened(to.href)}, which anybody on the way could change. Not followed.`,
    )
  return to
}

const SHOWN = 200

export function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
