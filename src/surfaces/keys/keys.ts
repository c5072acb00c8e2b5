/** Keys that let programs in over HTTP. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import {
  because,
  PRIVATE_FILE,
  ReverieError,
  readSmallFile,
  withLock,
  writeFileAtomic,
} from '../../store/index.ts'

export interface Key {
  id: string
  /** What it is for, in the owner's words. */
  name: string
  createdAt: string
}

interface KeptKey extends Key {
  hash: string
}

/** A key file that cannot be read lets nobody in, and is not overwritten. */
class UnreadableKeys extends ReverieError {}
class NoSuchKey extends ReverieError {}
class BadKeyName extends ReverieError {}

/** Of randomness: nobody guesses it, so a fast hash is enough, and a check costs microseconds. */
const SECRET_BYTES = 32
const ID_BYTES = 4
const FORM = /^rvk_([0-9a-f]{8})_([\w-]{43})$/
const LONGEST_NAME = 100

export class Keys {
  #home: Home
  #file: string
  #read: { stamp: string; keys: KeptKey[] } | undefined

  constructor(home: Home) {
    this.#home = home
    this.#file = join(home.path, 'keys.json')
  }

  list(): Key[] {
    return this.#kept().map(({ id, name, createdAt }) => ({ id, name, createdAt }))
  }

  /** The key itself is in what this returns, and nowhere else. */
  async create(name: string, now = new Date()): Promise<Key & { key: string }> {
    const trimmed = name.trim()
    if (trimmed === '' || trimmed.length > LONGEST_NAME || /[\x00-\x1f\x7f]/.test(trimmed))
      throw new BadKeyName(
        `A key is named with 1 to ${LONGEST_NAME} characters on one line, such as "open-webui".`,
      )
    const id = randomBytes(ID_BYTES).toString('hex')
    const key = `rvk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`
    const made = { id, name: trimmed, createdAt: now.toISOString() }
    await this.#change(keys => [...keys, { ...made, hash: hashOf(key) }])
    return { ...made, key }
  }

  async revoke(id: string): Promise<Key> {
    let found: KeptKey | undefined
    await this.#change(keys => {
      found = keys.find(key => key.id === id)
      if (!found)
        throw new NoSuchKey(`There is no key ${JSON.stringify(id)}. \`reverie keys list\` lists them.`)
      return keys.filter(key => key.id !== id)
    })
    const { name, createdAt } = found ?? { name: '', createdAt: '' }
    return { id, name, createdAt }
  }

  /** The key that somebody showed; undefined when it is none, or no longer one. */
  verify(shown: string): Key | undefined {
    const [, id] = FORM.exec(shown) ?? []
    const kept = id === undefined ? undefined : this.#kept().find(key => key.id === id)
    if (!kept || !timingSafeEqual(Buffer.from(kept.hash, 'hex'), Buffer.from(hashOf(shown), 'hex')))
      return undefined
    return { id: kept.id, name: kept.name, createdAt: kept.createdAt }
  }

  async #change(edit: (keys: KeptKey[]) => KeptKey[]): Promise<void> {
    edit(this.#kept()) // before anything is made
    await prepareHome(this.#home)
    await withLock(join(this.#home.cache, 'keys-lock'), async () => {
      const keys = edit(this.#kept())
      await writeFileAtomic(this.#file, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: PRIVATE_FILE })
    })
  }

  /** Read again only when the file is another one: a key that was revoked elsewhere lets nobody in from then on. */
  #kept(): KeptKey[] {
    const stats = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    if (!stats) return []
    const stamp = `${stats.ino}:${stats.mtimeNs}:${stats.size}`
    if (this.#read?.stamp !== stamp) this.#read = { stamp, keys: this.#parse() }
    return this.#read.keys
  }

  #parse(): KeptKey[] {
    try {
      const { keys } = JSON.parse(readSmallFile(this.#file) ?? '') as { keys: unknown }
      if (Array.isArray(keys) && keys.every(isKept)) return keys
      throw new Error('it does not hold keys')
    } catch (error) {
      throw new UnreadableKeys(
        `${this.#file} cannot be used: ${because(error)}. Mend it, or move it aside and make new keys.`,
        { cause: error },
      )
    }
  }
}

function isKept(value: unknown): value is KeptKey {
  const { id, name, createdAt, hash } = (value ?? {}) as Record<string, unknown>
  return [id, name, createdAt].every(text => typeof text === 'string') && /^[0-9a-f]{64}$/.test(String(hash))
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
