import { randomBytes } from 'node:crypto'

/** Readable, in the order of time, and never the same twice: `20261118-092412-k3f9qa`. */
export function newSessionId(now: Date): string {
  return `${stamp(now)}-${randomLetters(6)}`
}

/** Of a run that began by itself: `run-a1b2c3d4-20261118-092412-k3f9`. */
export function newRunSessionId(source: string, now: Date): string {
  return `run-${source}-${stamp(now)}-${randomLetters(4)}`
}

/** What it was a run of; undefined when somebody began the session. */
export function sourceOfRunSession(id: string): string | undefined {
  return /^run-(.+)-\d{8}-\d{6}-[a-z0-9]{4}$/.exec(id)?.[1]
}

function stamp(now: Date): string {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split('.')[0]?.split('T') ?? []
  return `${day}-${time}`
}

export function newMessageId(): string {
  return `m_${randomLetters(16)}`
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

function randomLetters(count: number): string {
  return Array.from(randomBytes(count), byte => ALPHABET[byte % ALPHABET.length]).join('')
}
