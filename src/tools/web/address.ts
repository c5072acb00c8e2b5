/** Internet addresses as numbers, and which of them are on the public internet. */
import { isIP } from 'node:net'

export interface Address {
  family: 4 | 6
  value: bigint
}

export interface Range {
  first: Address
  /** How many leading bits count. */
  bits: number
}

const LENGTH = { 4: 32, 6: 128 } as const

/** IPv4 in four decimal numbers, or IPv6 in any of its forms, with or without brackets and zone. */
export function readAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  switch (isIP(bare)) {
    case 4:
      return { family: 4, value: readIpv4(bare) }
    case 6:
      return withoutMapping({ family: 6, value: readIpv6(bare) })
    default:
      return undefined
  }
}

function readIpv4(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function readIpv6(text: string): bigint {
  // The last 32 bits may be written as IPv4.
  const dotted = /[\d.]+$/.exec(text)?.[0]
  if (dotted?.includes('.')) {
    const value = readIpv4(dotted)
    const asGroups = `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
    return readIpv6(text.slice(0, -dotted.length) + asGroups)
  }
  const [before = [], after] = text.split('::').map(half => (half === '' ? [] : half.split(':')))
  const groups = after
    ? [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
    : before
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** `::ffff:1.2.3.4` is 1.2.3.4: the connection is made over IPv4. */
function withoutMapping(address: Address): Address {
  return contains(MAPPED, address) ? embeddedIpv4(address) : address
}

function embeddedIpv4({ value }: Address): Address {
  return { family: 4, value: value & 0xffff_ffffn }
}

/** `10.0.0.0/8`, or one address. */
export function readRange(text: string): Range | undefined {
  const [base = '', length, ...more] = text.split('/')
  const first = readAddress(base)
  if (!first || more.length > 0) return undefined
  if (length === undefined) return { first, bits: LENGTH[first.family] }
  const bits = Number(length)
  return /^\d{1,3}$/.test(length) && bits <= LENGTH[first.family] ? { first, bits } : undefined
}

export function contains({ first, bits }: Range, { family, value }: Address): boolean {
  if (family !== first.family) return false
  const rest = BigInt(LENGTH[family] - bits)
  return value >> rest === first.value >> rest
}

function ipv4(text: string): Range {
  const [base = '', bits] = text.split('/')
  return { first: { family: 4, value: readIpv4(base) }, bits: Number(bits) }
}

function ipv6(text: string): Range {
  const [base = '', bits] = text.split('/')
  return { first: { family: 6, value: readIpv6(base) }, bits: Number(bits) }
}

const MAPPED = ipv6('::ffff:0:0/96')

/** IANA's special-purpose registry for IPv4, and what clouds put elsewhere. */
const NOT_PUBLIC_IPV4: ReadonlyArray<readonly [range: Range, what: string]> = [
  [ipv4('0.0.0.0/8'), 'this machine'],
  [ipv4('10.0.0.0/8'), 'a private network'],
  [ipv4('100.64.0.0/10'), "a provider's inner network"],
  [ipv4('127.0.0.0/8'), 'this machine'],
  [ipv4('168.63.129.16/32'), "a cloud's own service"], // Azure's, though of a public range
  [ipv4('169.254.0.0/16'), 'a local link'],
  [ipv4('172.16.0.0/12'), 'a private network'],
  [ipv4('192.0.0.0/24'), 'a special purpose'],
  [ipv4('192.0.2.0/24'), 'documentation'],
  [ipv4('192.88.99.0/24'), 'a special purpose'],
  [ipv4('192.168.0.0/16'), 'a private network'],
  [ipv4('198.18.0.0/15'), 'a test network'],
  [ipv4('198.51.100.0/24'), 'documentation'],
  [ipv4('203.0.113.0/24'), 'documentation'],
  [ipv4('224.0.0.0/4'), 'many at once'],
  [ipv4('240.0.0.0/4'), 'no one'],
]

/** Of IPv6, only this is given out for the public internet. */
const PUBLIC_IPV6 = ipv6('2000::/3')

const NOT_PUBLIC_IPV6: ReadonlyArray<readonly [range: Range, what: string]> = [
  [ipv6('2001::/23'), 'a special purpose'], // Teredo, ORCHID, benchmarks
  [ipv6('2001:db8::/32'), 'documentation'],
  [ipv6('2002::/16'), 'a tunnel'], // 6to4, which may lead to any IPv4
  [ipv6('3ffe::/16'), 'no one'],
  [ipv6('3fff::/20'), 'documentation'],
]

/** In these words, outside of the public range. */
const KNOWN_IPV6: ReadonlyArray<readonly [range: Range, what: string]> = [
  [ipv6('::/127'), 'this machine'],
  [ipv6('fc00::/7'), 'a private network'],
  [ipv6('fe80::/10'), 'a local link'],
  [ipv6('fec0::/10'), 'a private network'],
  [ipv6('ff00::/8'), 'many at once'],
]

/** The well-known NAT64: on networks without IPv4, everything that has only that is reached through it. */
const NAT64 = ipv6('64:ff9b::/96')

/** What an address that is not public is for; undefined for one that is. */
export function notPublic(address: Address): string | undefined {
  if (address.family === 4) return whatFor(NOT_PUBLIC_IPV4, address)
  if (contains(NAT64, address)) return notPublic(embeddedIpv4(address))
  if (!contains(PUBLIC_IPV6, address)) return whatFor(KNOWN_IPV6, address) ?? 'a special purpose'
  return isIsatap(address) ? 'a tunnel' : whatFor(NOT_PUBLIC_IPV6, address)
}

function whatFor(ranges: typeof NOT_PUBLIC_IPV4, address: Address): string | undefined {
  return ranges.find(([range]) => contains(range, address))?.[1]
}

/** Leads to the IPv4 in its last 32 bits, whatever its prefix (RFC 5214). */
function isIsatap({ value }: Address): boolean {
  return ((value >> 32n) & 0xfdff_ffffn) === 0x0000_5efen
}
