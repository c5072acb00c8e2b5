import { createHash } from 'node:crypto'
import { plainJson } from './json.ts'

const PLAIN_SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/
const PLAIN_MESSAGE_ID = /^[A-Za-z0-9][\w.:-]{0,127}$/
const READABLE_LENGTH = 40
const SHORT_HASH = 10
const LONG_HASH = 24

/** The id that a session of another program has here, always the same. It becomes a file name, whatever it was. */
export function sessionIdFor(agent: string, id: string): string {
  if (PLAIN_SESSION_ID.test(id)) return `${agent}-${id}`
  const readable = id
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  return [agent, readable, shortHash(id)].filter(part => part !== '').join('-')
}

export function shortHash(text: string): string {
  return hashOf(text).slice(0, SHORT_HASH)
}

/**
 * Names the messages of one session, so that the same message has the same name with every import. Where the
 * program gave it none, it is named by what it says, and the second that says the same by that: what stands
 * before it does not matter, since some programs drop old messages from the beginning of a file.
 */
export class MessageIds {
  #times = new Map<string, number>()

  of(own: unknown, said: unknown): string {
    if (typeof own === 'string' && PLAIN_MESSAGE_ID.test(own)) return own
    const hash = hashOf(JSON.stringify(plainJson([own, said]))).slice(0, LONG_HASH)
    const times = (this.#times.get(hash) ?? 0) + 1
    this.#times.set(hash, times)
    return times === 1 ? hash : `${hash}-${times}`
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
