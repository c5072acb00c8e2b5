import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { ANY_AGE, sweepTemporaries, syncDirectory } from '../atomic-file.ts'
import { systemCode } from '../error.ts'
import type { Lock } from '../lock.ts'
import { type NewObject, writePack } from './objects.ts'
import type { Commit, Repository } from './repository.ts'

/** Loose objects in one of the 256 directories above which everything is packed; git's own limit is 27. */
const LOOSE_IN_SAMPLE = 27
const SAMPLE = '17'

/** Whether so many loose objects have gathered that they should be packed; costs one directory listing. */
export async function shouldPack(repository: Repository): Promise<boolean> {
  return (await namesIn(join(repository.gitdir, 'objects', SAMPLE))).length > LOOSE_IN_SAMPLE
}

/** One pack of all that the branch reaches; then everything else goes. */
export async function packEverything(repository: Repository, lock: Lock): Promise<void> {
  const oids = await reachable(repository)
  const name =
    oids.length > 0 ? await writePack(repository.gitdir, oids.length, objectsOf(repository, oids)) : undefined
  // Who has lost the lock does not know what others have written since.
  await lock.check()
  await dropAllBut(repository.gitdir, name)
  repository.forgetCache()
}

async function* objectsOf(repository: Repository, oids: readonly string[]): AsyncGenerator<NewObject> {
  for (const oid of oids) yield await repository.object(oid)
}

async function reachable(repository: Repository): Promise<string[]> {
  const seen = new Set<string>()
  const walk = async (tree: string): Promise<void> => {
    if (seen.has(tree)) return
    seen.add(tree)
    for (const entry of await repository.tree(tree)) {
      if (entry.kind === 'tree') await walk(entry.oid)
      else seen.add(entry.oid)
    }
  }
  for (let oid = await repository.head(); oid !== undefined; ) {
    seen.add(oid)
    const commit: Commit = await repository.commit(oid)
    await walk(commit.tree)
    oid = commit.parent
  }
  return [...seen]
}

async function dropAllBut(gitdir: string, pack: string | undefined): Promise<void> {
  const objects = join(gitdir, 'objects')
  const packs = join(objects, 'pack')
  const old = (await namesIn(packs)).filter(name => pack === undefined || !name.startsWith(pack))
  // The index goes first: a pack without one is not looked at, an index without a pack is an error.
  for (const name of old.filter(name => name.endsWith('.idx'))) await fs.rm(join(packs, name))
  await syncDirectory(packs)
  for (const name of old.filter(name => !name.endsWith('.idx'))) await fs.rm(join(packs, name))
  for (const name of await namesIn(objects)) {
    if (/^[0-9a-f]{2}$/.test(name)) await fs.rm(join(objects, name), { recursive: true })
    if (name.startsWith('tmp_')) await fs.rm(join(objects, name))
  }
  // Under the lock nobody else is writing: whatever the age of these, they were left behind.
  for (const directory of [gitdir, join(gitdir, 'refs', 'heads')])
    await sweepTemporaries(directory, { olderThanMs: ANY_AGE })
  await syncDirectory(packs)
  await syncDirectory(objects)
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
