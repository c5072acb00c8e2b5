import { existsSync, promises as nodeFs } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type Git from 'isomorphic-git'
import { PRIVATE_DIRECTORY, readIfThere, syncDirectory, writeFileAtomic } from '../atomic-file.ts'
import { because, ReverieError, systemCode } from '../error.ts'
import { Lru } from '../lru.ts'
import { livenessOf, ownIdentity } from '../process-identity.ts'
import { type NewObject, newObject, type TreeEntry, treeContent, writeObjects } from './objects.ts'

/** The directory holds something that is not a journal of ours. It is left alone. */
export class ForeignJournal extends ReverieError {}

/** The journal is ours but cannot be read. It is left alone. */
export class CorruptJournal extends ReverieError {}

export interface Commit {
  oid: string
  tree: string
  parent: string | undefined
  message: string
  author: string
  /** Seconds since 1970, and minutes west of UTC, as git keeps them. */
  timestamp: number
  timezoneOffset: number
}

export interface CommitDraft {
  tree: string
  parent: string | undefined
  message: string
  author: string
  at: Date
}

export type TreeChange = ReadonlyMap<string, string | null>

const BRANCH = 'refs/heads/main'
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[reverie]\n\tjournal = 1\n'
const TREES_CACHED = 1_000
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The git directory underneath the journal: objects, trees, one branch. Knows nothing of memories. */
export class Repository {
  readonly gitdir: string
  #git: typeof Git
  /** isomorphic-git keeps parsed pack indexes here. */
  #cache: object = {}
  #trees = new Lru<string, readonly TreeEntry[]>(TREES_CACHED)

  private constructor(gitdir: string, git: typeof Git) {
    this.gitdir = gitdir
    this.#git = git
  }

  static exists(gitdir: string): boolean {
    return existsSync(gitdir)
  }

  /** Opens the repository, making an empty one if the directory is not there. */
  static async open(gitdir: string): Promise<Repository> {
    if (!existsSync(gitdir)) await initialise(gitdir)
    await assertOurs(gitdir)
    const { default: git } = await import('isomorphic-git')
    return new Repository(gitdir, git)
  }

  async head(): Promise<string | undefined> {
    const file = join(this.gitdir, BRANCH)
    const oid = (await readIfThere(file))?.toString('utf8').trim()
    if (oid !== undefined) {
      if (/^[0-9a-f]{40}$/.test(oid)) return oid
      throw this.#corrupt('its branch cannot be read')
    }
    try {
      // Native git, when it tidies up, moves the branch into a file of all references.
      return await this.#git.resolveRef({ ...this.#place, ref: BRANCH })
    } catch (error) {
      if (systemCode(error) !== 'NotFoundError') throw this.#corrupt('its branch cannot be read', error)
      // Another process may have made the first entry meanwhile.
      return existsSync(file) ? this.head() : undefined
    }
  }

  async setHead(oid: string): Promise<void> {
    await writeFileAtomic(join(this.gitdir, BRANCH), `${oid}\n`)
  }

  async commit(oid: string): Promise<Commit> {
    const { commit } = await this.#reading(oid, () => this.#git.readCommit({ ...this.#place, oid }))
    return {
      oid,
      tree: commit.tree,
      parent: commit.parent[0],
      message: commit.message,
      author: commit.author.name,
      timestamp: commit.author.timestamp,
      timezoneOffset: commit.author.timezoneOffset,
    }
  }

  async blob(oid: string): Promise<Buffer> {
    const { blob } = await this.#reading(oid, () => this.#git.readBlob({ ...this.#place, oid }))
    return Buffer.from(blob)
  }

  async tree(oid: string): Promise<readonly TreeEntry[]> {
    if (oid === EMPTY_TREE) return []
    const cached = this.#trees.get(oid)
    if (cached) return cached
    const { tree } = await this.#reading(oid, () => this.#git.readTree({ ...this.#place, oid }))
    const entries = tree.map(({ path, type, oid }): TreeEntry => {
      return { name: path, kind: type === 'tree' ? 'tree' : 'blob', oid }
    })
    this.#trees.set(oid, entries)
    return entries
  }

  /** The object id of the file at `path` in a tree. */
  async find(tree: string, path: string): Promise<string | undefined> {
    let oid = tree
    for (const part of path.split('/')) {
      const entry = (await this.tree(oid)).find(({ name }) => name === part)
      if (!entry) return undefined
      oid = entry.oid
    }
    return oid
  }

  /** Every file below a tree, as path and object id. */
  async *files(tree: string, prefix = ''): AsyncGenerator<[path: string, oid: string]> {
    for (const entry of await this.tree(tree)) {
      if (entry.kind === 'tree') yield* this.files(entry.oid, `${prefix}${entry.name}/`)
      else yield [prefix + entry.name, entry.oid]
    }
  }

  /** What differs between two trees; equal subtrees are not opened. */
  async *compare(
    before: string,
    after: string,
    prefix = '',
  ): AsyncGenerator<{ path: string; before?: string; after?: string }> {
    if (before === after) return
    const [old, young] = await Promise.all([this.tree(before), this.tree(after)])
    const oldByName = new Map(old.map(entry => [entry.name, entry]))
    const youngByName = new Map(young.map(entry => [entry.name, entry]))
    for (const name of new Set([...oldByName.keys(), ...youngByName.keys()])) {
      const [from, to] = [oldByName.get(name), youngByName.get(name)]
      if (from?.oid === to?.oid) continue
      const path = prefix + name
      const subtree = (entry: TreeEntry | undefined) => (entry?.kind === 'tree' ? entry.oid : EMPTY_TREE)
      if (from?.kind === 'tree' || to?.kind === 'tree')
        yield* this.compare(subtree(from), subtree(to), `${path}/`)
      const file = (entry: TreeEntry | undefined) => (entry?.kind === 'blob' ? entry.oid : undefined)
      const change = { before: file(from), after: file(to) }
      if (change.before === undefined && change.after === undefined) continue
      yield {
        path,
        ...(change.before !== undefined && { before: change.before }),
        ...(change.after !== undefined && { after: change.after }),
      }
    }
  }

  /** Adds the trees that differ from `tree` after the changes to `objects`; returns the new root's id. */
  async changedTree(tree: string, changes: TreeChange, objects: NewObject[]): Promise<string> {
    const entries = new Map((await this.tree(tree)).map(entry => [entry.name, entry]))
    const below = new Map<string, Map<string, string | null>>()
    for (const [path, oid] of changes) {
      const slash = path.indexOf('/')
      if (slash >= 0) {
        const name = path.slice(0, slash)
        const inner = below.get(name) ?? new Map()
        below.set(name, inner.set(path.slice(slash + 1), oid))
      } else if (oid === null) entries.delete(path)
      else entries.set(path, { name: path, kind: 'blob', oid })
    }
    for (const [name, inner] of below) {
      const entry = entries.get(name)
      const oid = await this.changedTree(entry?.kind === 'tree' ? entry.oid : EMPTY_TREE, inner, objects)
      if (oid === EMPTY_TREE) entries.delete(name)
      else entries.set(name, { name, kind: 'tree', oid })
    }
    const object = newObject('tree', treeContent([...entries.values()]))
    objects.push(object)
    return object.oid
  }

  draftCommit(draft: CommitDraft): NewObject {
    const zone = -draft.at.getTimezoneOffset()
    const clock = `${zone < 0 ? '-' : '+'}${two(Math.abs(zone) / 60)}${two(Math.abs(zone) % 60)}`
    const author = draft.author.replaceAll(/[<>\p{Cc}]/gu, '').trim() || 'Reverie'
    const who = `${author} <${author.toLowerCase().replaceAll(' ', '-')}@localhost>`
    const stamp = `${who} ${Math.floor(draft.at.getTime() / 1000)} ${clock}`
    const lines = [
      `tree ${draft.tree}`,
      ...(draft.parent ? [`parent ${draft.parent}`] : []),
      `author ${stamp}`,
      `committer ${stamp}`,
    ]
    return newObject('commit', Buffer.from(`${lines.join('\n')}\n\n${draft.message}`))
  }

  async write(objects: readonly NewObject[]): Promise<void> {
    await writeObjects(this.gitdir, objects)
  }

  /** The whole id of the object that a unique beginning of an id names. */
  async expand(beginning: string): Promise<string | undefined> {
    try {
      return await this.#git.expandOid({ ...this.#place, oid: beginning })
    } catch {
      return undefined
    }
  }

  async object(oid: string): Promise<NewObject> {
    const read = await this.#reading(oid, () =>
      this.#git.readObject({ ...this.#place, oid, format: 'content' }),
    )
    if (read.format !== 'content') throw this.#corrupt(`object ${oid} has no content`)
    const object = newObject(read.type as NewObject['kind'], read.object as Uint8Array)
    // Packed objects are not compared with their names otherwise, and packing must not copy damage.
    if (object.oid !== oid) throw this.#corrupt(`object ${oid} has another content than its name says`)
    return object
  }

  /** Forgets what was cached of packs, after they were replaced. */
  forgetCache(): void {
    this.#cache = {}
  }

  async #packNames(): Promise<string> {
    const names = await fs.readdir(join(this.gitdir, 'objects', 'pack')).catch(() => [])
    return names.sort().join()
  }

  get emptyTree(): string {
    return EMPTY_TREE
  }

  get #place() {
    return { fs: { promises: nodeFs }, gitdir: this.gitdir, cache: this.#cache }
  }

  /** Another process may replace the packs while we read; only what fails with the same packs is damage. */
  async #reading<T>(oid: string, read: () => Promise<T>): Promise<T> {
    for (let packs: string | undefined; ; ) {
      try {
        return await read()
      } catch (error) {
        const now = await this.#packNames()
        if (now === packs) throw this.#corrupt(`object ${oid} cannot be read`, error)
        packs = now
        this.forgetCache()
      }
    }
  }

  #corrupt(what: string, cause?: unknown): CorruptJournal {
    return new CorruptJournal(
      `The journal ${this.gitdir} is damaged: ${what}. Your memories are not affected. Move it aside ` +
        `(mv "${this.gitdir}" "${this.gitdir}.damaged") and a new one is started with the next change.`,
      { cause },
    )
  }
}

function two(number: number): string {
  return String(Math.floor(number)).padStart(2, '0')
}

/** Built beside its place, fsynced and renamed, so that a half-made repository is never found there. */
async function initialise(gitdir: string): Promise<void> {
  const draft = `${gitdir}.new-${process.pid}-${Date.now()}`
  try {
    await dropDeadDrafts(gitdir)
    for (const directory of ['objects/pack', 'refs/heads'])
      await fs.mkdir(join(draft, directory), { recursive: true, mode: PRIVATE_DIRECTORY })
    for (const directory of ['objects', 'refs']) await syncDirectory(join(draft, directory))
    await writeFileAtomic(join(draft, 'HEAD'), `ref: ${BRANCH}\n`)
    await writeFileAtomic(join(draft, 'config'), CONFIG)
    await fs.rename(draft, gitdir)
    await syncDirectory(join(gitdir, '..'))
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true })
    // Another process made it at the same moment.
    if (['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) return
    throw new ReverieError(`Could not start the journal ${gitdir}: ${because(error)}.`, { cause: error })
  }
}

/** Removes what processes left behind that were killed while starting a journal. */
async function dropDeadDrafts(gitdir: string): Promise<void> {
  const prefix = `${basename(gitdir)}.new-`
  const names = await fs.readdir(dirname(gitdir)).catch(() => [])
  for (const name of names.filter(name => name.startsWith(prefix))) {
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (livenessOf({ ...ownIdentity(), pid, startTime: '' }) === 'dead')
      await fs.rm(join(dirname(gitdir), name), { recursive: true, force: true })
  }
}

async function assertOurs(gitdir: string): Promise<void> {
  let config: string
  try {
    config = await fs.readFile(join(gitdir, 'config'), 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') config = ''
    else throw new ReverieError(`Could not read the journal ${gitdir}: ${because(error)}.`, { cause: error })
  }
  if (/^\s*journal\s*=\s*1\s*$/m.test(config) && config.includes('[reverie]')) return
  throw new ForeignJournal(
    `${gitdir} was not made by Reverie, or by a newer version, and is left alone. ` +
      `Move it elsewhere, and a journal is started with the next change.`,
  )
}
