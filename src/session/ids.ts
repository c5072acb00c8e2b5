import { randomBytes } from 'node:crypto'

/** Readable, in the order of time, and never the same twice: `20261118-092412-k3f9qa`. */
export function newSessionId(now: Date): string {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split('.')[0]?.split('T') ?? []
  return `${day}-${time}-${randomLetters(6)}`
}

export function newMessageId(): string {
  return `m_${randomLetters(16)}`
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

function randomLetters(count: number): string {
  return Array.from(randomBytes(count), byte => ALPHABET[byte % ALPHABET.length]).join('')
}
