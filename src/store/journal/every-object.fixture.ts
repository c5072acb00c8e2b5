import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

export interface StoredObject {
  oid: string
  /** With git's header. */
  bytes: Buffer
}

const KINDS = ['', 'commit', 'tree', 'blob']
const PACK_HEADER_BYTES = 12
const CHECKSUM_BYTES = 20

/**
 * Every object that lies in a journal, reachable or not, in packs with or without an index, read by
 * code that shares nothing with the journal's. Throws where one is not what its name says.
 */
export function everyObject(gitdir: string): StoredObject[] {
  const root = join(gitdir, 'objects')
  const loose = (existsSync(root) ? readdirSync(root) : [])
    .filter(name => /^[0-9a-f]{2}$/.test(name))
    .flatMap(prefix => readdirSync(join(root, prefix)).map(rest => readLoose(root, prefix, rest)))
  const packs = existsSync(join(root, 'pack')) ? readdirSync(join(root, 'pack')) : []
  return [
    ...loose,
    ...packs.filter(name => name.endsWith('.pack')).flatMap(name => readPack(join(root, 'pack', name))),
  ]
}

function sha1(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex')
}

function readLoose(root: string, prefix: string, rest: string): StoredObject {
  const bytes = inflateSync(readFileSync(join(root, prefix, rest)))
  if (sha1(bytes) !== prefix + rest) throw new Error(`loose object ${prefix}${rest} has another content`)
  return { oid: prefix + rest, bytes }
}

function readPack(path: string): StoredObject[] {
  const pack = readFileSync(path)
  const end = pack.length - CHECKSUM_BYTES
  if (sha1(pack.subarray(0, end)) !== pack.toString('hex', end)) throw new Error(`${path} is torn`)
  const objects: StoredObject[] = []
  let at = PACK_HEADER_BYTES
  while (at < end) {
    const kind = KINDS[((pack[at] ?? 0) >> 4) & 7]
    if (!kind) throw new Error(`${path} has a kind of object that Reverie does not write`)
    while ((pack[at++] ?? 0) & 0x80) {}
    const { buffer, engine } = inflateSync(pack.subarray(at, end), { info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    at += engine.bytesWritten
    const bytes = Buffer.concat([Buffer.from(`${kind} ${buffer.length}\0`), buffer])
    objects.push({ oid: sha1(bytes), bytes })
  }
  if (objects.length !== pack.readUInt32BE(8)) throw new Error(`${path} holds another number of objects`)
  return objects
}
