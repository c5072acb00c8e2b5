import * as fs from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readIfThere, syncDirectory, writeFileAtomic } from '../atomic-file.ts'
import type { Lock } from '../lock.ts'
import { storedPath } from './layout.ts'
import { readNote, writeNote } from './message.ts'
import { type NewObject, newObject } from './objects.ts'
import { packEverything } from './pack.ts'
import type { Commit, Repository } from './repository.ts'

/** Holds the path while its purge is under way, so that one cut short is finished by whoever comes next. */
const PURGE_MARK = 'reverie-purge'

/** New objects are written in lots of this many: one by one, each would cost an fsync. */
const OBJECTS_AT_ONCE = 2_000

/** Rewrites history without one path, then removes what history no longer reaches. */
export async function purgePath(repository: Repository, path: string, lock: Lock): Promise<void> {
  await writeFileAtomic(join(repository.gitdir, PURGE_MARK), path)
  await finishPurge(repository, lock)
}

/** Completes a purge that was begun, also by a process that was killed over it. */
export async function finishPurge(repository: Repository, lock: Lock): Promise<void> {
  const mark = join(repository.gitdir, PURGE_MARK)
  const path = (await readIfThere(mark))?.toString('utf8')
  if (path === undefined) return
  const head = await withoutPath(repository, path)
  if (head !== undefined) {
    await lock.check()
    await repository.setHead(head)
  }
  await packEverything(repository, lock)
  await fs.rm(mark)
  await syncDirectory(repository.gitdir)
}

/** Writes the history that is left without `path`; returns its newest commit if it differs from today's. */
async function withoutPath(repository: Repository, path: string): Promise<string | undefined> {
  const stored = storedPath(path)
  let objects: NewObject[] = []
  let parent: { oid: string; tree: string } | undefined
  let changed = false
  for (const commit of await oldestFirst(repository)) {
    const known = await repository.find(commit.tree, stored)
    const tree =
      known === undefined
        ? commit.tree
        : await repository.changedTree(commit.tree, new Map([[stored, null]]), objects)
    changed ||= tree !== commit.tree || (readNote(commit.message).paths?.includes(path) ?? false)
    if (!changed) {
      parent = commit
      continue
    }
    // An entry that was about nothing else goes.
    if (tree === (parent?.tree ?? repository.emptyTree)) continue
    const rewritten = repository.draftCommit({
      tree,
      parent: parent?.oid,
      message: messageWithout(commit, path),
      author: commit.author,
      at: new Date(commit.timestamp * 1000),
    })
    objects.push(rewritten)
    parent = { oid: rewritten.oid, tree }
    if (objects.length < OBJECTS_AT_ONCE) continue
    await repository.write(objects)
    objects = []
  }
  if (!changed) return undefined
  if (!parent) return startAnew(repository)
  await repository.write(objects)
  return parent.oid
}

async function oldestFirst(repository: Repository): Promise<Commit[]> {
  const commits: Commit[] = []
  for (let oid = await repository.head(); oid !== undefined; ) {
    const commit: Commit = await repository.commit(oid)
    commits.push(commit)
    oid = commit.parent
  }
  return commits.reverse()
}

/** Of an entry that was also about other paths, only the mention goes. */
function messageWithout(commit: Commit, path: string): string {
  const note = readNote(commit.message)
  // What an entry is about comes first among its paths; the rest, such as an index, followed from that.
  const named = note.paths?.includes(path) ?? false
  const about = named && (note.paths?.[0] === path || note.message.includes(basename(path)))
  return writeNote({
    kind: note.kind,
    message: about ? 'Changed several files, one of them since purged' : note.message,
    ...(note.paths && { paths: note.paths.filter(other => other !== path) }),
    formerly: [...(note.formerly ?? []), commit.oid],
  })
}

/** Nothing is left but the path that was purged: an empty commit keeps the journal a journal. */
async function startAnew(repository: Repository): Promise<string> {
  const root = newObject('tree', Buffer.alloc(0))
  const commit = repository.draftCommit({
    tree: root.oid,
    parent: undefined,
    message: writeNote({ kind: 'purge', message: 'Everything before was purged' }),
    author: 'Reverie',
    at: new Date(),
  })
  await repository.write([root, commit])
  return commit.oid
}
