import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { ensureDirectory, PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from '../atomic-file.ts'
import { systemCode } from '../error.ts'

/**
 * Writing git objects durably. isomorphic-git reads them; it writes straight to the final path and without
 * fsync, so that a crash could leave half an object which nothing would ever write again.
 */
export type ObjectKind = 'blob' | 'tree' | 'commit'

export interface NewObject {
  oid: string
  kind: ObjectKind
  content: Buffer
}

export interface TreeEntry {
  name: string
  kind: 'blob' | 'tree'
  oid: string
}

const compress = promisify<Uint8Array, Buffer>(deflate)

/** From this many new objects on they go into one pack: 10,000 files would be 10,000 times fsync. */
const PACK_FROM_OBJECTS = 100

export function newObject(kind: ObjectKind, content: Uint8Array): NewObject {
  const oid = createHash('sha1').update(header(kind, content.length)).update(content).digest('hex')
  return { oid, kind, content: Buffer.from(content.buffer, content.byteOffset, content.length) }
}

function header(kind: ObjectKind, length: number): string {
  return `${kind} ${length}\0`
}

export function treeContent(entries: readonly TreeEntry[]): Buffer {
  // Git orders a tree as if the names of directories ended with a slash.
  const key = (entry: TreeEntry) => Buffer.from(entry.kind === 'tree' ? `${entry.name}/` : entry.name)
  const sorted = entries.map(entry => ({ entry, key: key(entry) })).sort((a, b) => a.key.compare(b.key))
  return Buffer.concat(
    sorted.flatMap(({ entry }) => [
      Buffer.from(`${entry.kind === 'tree' ? '40000' : '100644'} ${entry.name}\0`),
      Buffer.from(entry.oid, 'hex'),
    ]),
  )
}

/** When this returns, the objects are on the disk, under their names and whole. */
export async function writeObjects(gitdir: string, objects: readonly NewObject[]): Promise<void> {
  const fresh = [...new Map(objects.map(object => [object.oid, object])).values()]
  if (fresh.length >= PACK_FROM_OBJECTS) await writePack(gitdir, fresh.length, fresh)
  else await writeLoose(gitdir, fresh)
}

async function writeLoose(gitdir: string, objects: readonly NewObject[]): Promise<void> {
  const root = join(gitdir, 'objects')
  await Promise.all(objects.map(object => writeLooseObject(root, object)))
  const directories = new Set(objects.map(({ oid }) => join(root, oid.slice(0, 2))))
  await Promise.all([root, ...directories].map(directory => syncDirectory(directory)))
}

async function writeLooseObject(root: string, { oid, kind, content }: NewObject): Promise<void> {
  const path = join(root, oid.slice(0, 2), oid.slice(2))
  if (await exists(path)) return
  const bytes = await compress(Buffer.concat([Buffer.from(header(kind, content.length)), content]))
  await fs.mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY })
  await using temporary = await TemporaryFile.create(root)
  await temporary.write(bytes)
  await temporary.keepAs(path)
}

const PACK_KIND: Record<ObjectKind, number> = { commit: 1, tree: 2, blob: 3 }

/** Writes one pack of whole objects with its index; returns the name that both files share. */
export async function writePack(
  gitdir: string,
  count: number,
  objects: Iterable<NewObject> | AsyncIterable<NewObject>,
): Promise<string> {
  const directory = join(gitdir, 'objects', 'pack')
  await ensureDirectory(directory)
  const sum = createHash('sha1')
  const index: IndexEntry[] = []
  let offset = 0
  await using pack = await TemporaryFile.create(directory)
  const put = async (bytes: Buffer) => {
    sum.update(bytes)
    offset += bytes.length
    await pack.write(bytes)
  }
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0')
  head.writeUInt32BE(count, 8)
  await put(head)
  for await (const { oid, kind, content } of objects) {
    const bytes = Buffer.concat([packHeader(kind, content.length), await compress(content)])
    index.push({ oid: Buffer.from(oid, 'hex'), crc: crc32(bytes), offset })
    await put(bytes)
  }
  if (index.length !== count) throw new Error(`pack: ${count} objects announced, ${index.length} written`)
  const checksum = sum.digest()
  await pack.write(checksum)
  const name = `pack-${checksum.toString('hex')}`
  // A pack counts only with its index, so the index comes last, also for a power cut.
  await pack.keepAs(join(directory, `${name}.pack`))
  await syncDirectory(directory)
  await using idx = await TemporaryFile.create(directory)
  await idx.write(packIndex(index, checksum))
  await idx.keepAs(join(directory, `${name}.idx`))
  await syncDirectory(directory)
  return name
}

/** Kind and length in git's variable-length form: 4 bits of length in the first byte, then 7 in each. */
function packHeader(kind: ObjectKind, length: number): Buffer {
  const bytes: number[] = []
  let byte = (PACK_KIND[kind] << 4) | (length & 0x0f)
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
  }
  return Buffer.from([...bytes, byte])
}

interface IndexEntry {
  oid: Buffer
  crc: number
  offset: number
}

/** A version-2 pack index. Offsets are 31 bits: a journal's pack is far below 2 GB. */
function packIndex(entries: IndexEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => a.oid.compare(b.oid))
  const fanout = Buffer.alloc(256 * 4)
  const numbers = Buffer.alloc(sorted.length * 8)
  let at = 0
  for (let first = 0; first < 256; first++) {
    while (at < sorted.length && (sorted[at]?.oid[0] ?? 256) <= first) at++
    fanout.writeUInt32BE(at, first * 4)
  }
  for (const [position, { crc, offset }] of sorted.entries()) {
    if (offset > 0x7fffffff) throw new Error('pack: larger than 2 GB')
    numbers.writeUInt32BE(crc, position * 4)
    numbers.writeUInt32BE(offset, (sorted.length + position) * 4)
  }
  const body = Buffer.concat([
    Buffer.from('\xfftOc\0\0\0\x02', 'latin1'),
    fanout,
    ...sorted.map(({ oid }) => oid),
    numbers,
    packChecksum,
  ])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** A file that is removed again unless it is kept under its final name, fsynced. */
class TemporaryFile implements AsyncDisposable {
  #path: string
  #file: fs.FileHandle
  #kept = false

  private constructor(path: string, file: fs.FileHandle) {
    this.#path = path
    this.#file = file
  }

  static async create(directory: string): Promise<TemporaryFile> {
    const path = join(directory, `tmp_${randomBytes(8).toString('hex')}`)
    return new TemporaryFile(path, await fs.open(path, 'wx', PRIVATE_FILE))
  }

  async write(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes)
  }

  async keepAs(path: string): Promise<void> {
    await this.#file.sync()
    await fs.rename(this.#path, path)
    this.#kept = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
    if (!this.#kept) await fs.unlink(this.#path)
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await fs.stat(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}
