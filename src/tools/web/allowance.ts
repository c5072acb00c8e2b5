import { ReverieError } from '../../store/index.ts'
import { type Address, contains, type Range, readAddress, readRange } from './address.ts'

/** `web.allowPrivate` holds something that is neither a host nor a range of addresses. */
export class InvalidAllowance extends ReverieError {}

/** What may be reached although it is not on the public internet. */
export interface Allowance {
  host(name: string): boolean
  address(address: Address): boolean
}

export const NOTHING_PRIVATE: Allowance = { host: () => false, address: () => false }

/** For addresses that the owner gave. */
export const ANYTHING: Allowance = { host: () => true, address: () => true }

const HOST = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

/** Hosts, addresses, and ranges such as `10.0.0.0/8`. */
export function readAllowance(entries: readonly string[]): Allowance {
  const hosts = new Set<string>()
  const ranges: Range[] = []
  for (const entry of entries) {
    const range = readRange(entry)
    const host = plainHost(entry)
    if (range) ranges.push(range)
    else if (HOST.test(host)) hosts.add(host)
    else
      throw new InvalidAllowance(
        `web.allowPrivate holds ${JSON.stringify(entry)}, which is neither a host such as "nas.lan" nor a range ` +
          'such as "10.0.0.0/8". Mend it with `reverie config set web.allowPrivate`.',
      )
  }
  return {
    host: name => hosts.has(plainHost(name)),
    address: address => ranges.some(range => contains(range, address)),
  }
}

/** As names are compared: in lower case, without the dots that end them. */
export function plainHost(name: string): string {
  return readAddress(name) ? name : name.toLowerCase().replace(/\.+$/, '')
}
