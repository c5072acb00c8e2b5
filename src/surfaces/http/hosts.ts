/** Under which names this server may be asked for: a page elsewhere can point a name of its own at our address. */
import { hostname, networkInterfaces } from 'node:os'
import type { MiddlewareHandler } from 'hono'
import { refuse } from './refusal.ts'

const LOCAL = ['127.0.0.1', 'localhost', '[::1]']

/** What may stand in `Host`, without a port, for a server that listens on an address. */
export function hostsOf(address: string): ReadonlySet<string> {
  if (LOCAL.includes(address) || address === '::1') return new Set(LOCAL)
  const isAny = address === '0.0.0.0' || address === '::'
  const addresses = isAny
    ? Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(({ address }) => address))
    : [address]
  const written = addresses.map(each => (each.includes(':') ? `[${each}]` : each))
  return new Set([...LOCAL, ...written, hostname().toLowerCase()])
}

export function onlyFor(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    const name = host.replace(/:\d+$/, '').toLowerCase()
    if (hosts.has(name)) return next()
    return refuse(context, 421, 'This server does not answer to that name. Ask for it at 127.0.0.1.')
  }
}

/**
 * Pages of other sites cannot ask here, whatever cookies the browser would send along. What changes something has to
 * say where it comes from: every browser does.
 */
export function sameOriginOnly(): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin')
    const isSame = origin === `http://${context.req.header('host')}`
    const isReading = context.req.method === 'GET' || context.req.method === 'HEAD'
    const site = context.req.header('sec-fetch-site')
    const isElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none'
    if (origin === undefined ? isReading && !isElsewhere : isSame) return next()
    return refuse(context, 403, 'Only the page itself can ask here.')
  }
}
