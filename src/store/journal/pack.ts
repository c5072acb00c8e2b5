import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeFileAtomic } from '../atomic-file.ts'
import { systemCode } from '../error.ts'
import { storedPath } from './layout.ts'
import { readNote, writeNote } from './message.ts'
import { type NewObject, newObject, writePack } from './objects.ts'
import type { Commit, Repository } from './repository.ts'

/** Loose objects in one of the 256 directories above which everything is packed; git's own limit is 27. */
const LOOSE_IN_SAMPLE = 27
const SAMPLE = '17'

/** Written while a purge is under way: what it removed may still lie in old packs. */
const PURGE_MARK = 'reverie-purge'

/** Whether so many loose objects have gathered that they should be packed; costs one directory listing. */
export async function shouldPack(repository: Repository): Promise<boolean> {
  return (await namesIn(join(repository.gitdir, 'objects', SAMPLE))).length > LOOSE_IN_SAMPLE
}

/** One pack of all that the branch reaches; then everything else goes. */
export async function packEverything(repository: Repository): Promise<void> {
  const oids = await reachable(repository)
  if (oids.length === 0) return
  const name = await writePack(repository.gitdir, oids.length, objectsOf(repository, oids))
  await dropAllBut(repository.gitdir, name)
  repository.forgetCache()
}

async function* objectsOf(repository: Repository, oids: readonly string[]): AsyncGenerator<NewObject> {
  for (const oid of oids) yield await repository.object(oid)
}

async function reachable(repository: Repository): Promise<string[]> {
  const seen = new Set<string>()
  const walk = async (tree: string): Promise<void> => {
    if (seen.has(tree) || tree === repository.emptyTree) return
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

async function dropAllBut(gitdir: string, pack: string): Promise<void> {
  const packs = join(gitdir, 'objects', 'pack')
  // The index goes first: a pack without one is not looked at, an index without a pack is an error.
  const old = (await namesIn(packs)).filter(name => !name.startsWith(pack))
  for (const name of old.filter(name => name.endsWith('.idx'))) await fs.rm(join(packs, name))
  for (const name of old.filter(name => !name.endsWith('.idx'))) await fs.rm(join(packs, name))
  for (const name of await namesIn(join(gitdir, 'objects'))) {
    const directory = join(gitdir, 'objects', name)
    if (/^[0-9a-f]{2}$/.test(name)) await fs.rm(directory, { recursive: true })
    if (name.startsWith('tmp_')) await fs.rm(directory)
  }
  await syncDirectory(packs)
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Rewrites history without one path, then removes what history no longer reaches. */
export async function purgePath(repository: Repository, path: string): Promise<void> {
  const commits: Commit[] = []
  for (let oid = await repository.head(); oid !== undefined; ) {
    const commit: Commit = await repository.commit(oid)
    commits.unshift(commit)
    oid = commit.parent
  }
  await writeFileAtomic(join(repository.gitdir, PURGE_MARK), '')
  let parent: { oid: string; tree: string } | undefined
  let changed = false
  for (const commit of commits) {
    const objects: NewObject[] = []
    const known = await repository.find(commit.tree, storedPath(path))
    const tree =
      known === undefined
        ? commit.tree
        : await repository.changedTree(commit.tree, new Map([[storedPath(path), null]]), objects)
    const note = readNote(commit.message)
    const named = note.paths?.includes(path) ?? false
    changed ||= named || tree !== commit.tree
    if (!changed) {
      parent = commit
      continue
    }
    // An entry that was about nothing else goes; of others only the mention does.
    if (tree === (parent?.tree ?? repository.emptyTree)) continue
    const rewritten = repository.draftCommit({
      tree,
      parent: parent?.oid,
      message: writeNote({
        kind: note.kind,
        message: named ? 'Changed several files, one of them since purged' : note.message,
        ...(note.paths && { paths: note.paths.filter(other => other !== path) }),
        formerly: [...(note.formerly ?? []), commit.oid],
      }),
      author: commit.author,
      at: new Date(commit.timestamp * 1000),
    })
    await repository.write([...objects, rewritten])
    parent = { oid: rewritten.oid, tree }
  }
  if (parent && changed) await repository.setHead(parent.oid)
  else if (changed) await startAnew(repository)
  await finishPurge(repository)
}

/** Nothing is left but the path that was purged: an empty commit keeps the journal a journal. */
async function startAnew(repository: Repository): Promise<void> {
  const root = newObject('tree', Buffer.alloc(0))
  const commit = repository.draftCommit({
    tree: root.oid,
    parent: undefined,
    message: writeNote({ kind: 'purge', message: 'Everything before was purged' }),
    author: 'Reverie',
    at: new Date(),
  })
  await repository.write([root, commit])
  await repository.setHead(commit.oid)
}

/** Completes a purge, also one that a crash interrupted. */
export async function finishPurge(repository: Repository): Promise<void> {
  const mark = join(repository.gitdir, PURGE_MARK)
  if (!existsSync(mark)) return
  await packEverything(repository)
  await fs.rm(mark)
  await syncDirectory(repository.gitdir)
}
