import { ReverieError } from '../error.ts'
import { readNote } from './message.ts'
import { type Commit, CorruptJournal, type Repository } from './repository.ts'

/** No entry, or more than one, has this id. */
export class UnknownEntry extends ReverieError {}

/** From the newest back, also while another process rewrites history by a purge. */
export async function* commitsOf(repository: Repository): AsyncGenerator<Commit> {
  const given = new Set<string>()
  let head = await repository.head()
  for (let oid = head; oid !== undefined; ) {
    let commit: Commit
    try {
      commit = await repository.commit(oid)
    } catch (error) {
      const now = await repository.head()
      if (!(error instanceof CorruptJournal) || now === head) throw error
      head = now
      oid = await placeInRewritten(repository, head, oid, given)
      continue
    }
    given.add(oid)
    yield commit
    oid = commit.parent
  }
}

/** Where to go on: at what `oid` became or, if it was purged, after the oldest entry that was given already. */
async function placeInRewritten(
  repository: Repository,
  head: string | undefined,
  oid: string,
  given: ReadonlySet<string>,
): Promise<string | undefined> {
  let place = head
  for (let at = head; at !== undefined; ) {
    const commit: Commit = await repository.commit(at)
    const names = namesOf(commit)
    if (names.includes(oid)) return at
    if (names.some(name => given.has(name))) place = commit.parent
    at = commit.parent
  }
  return place
}

/** Its id, and those that it had before purges. */
function namesOf(commit: Commit): string[] {
  return [commit.oid, ...(readNote(commit.message).formerly ?? [])]
}

/** The commit that an id, or a unique beginning of one, names. */
export async function find(repository: Repository, id: string): Promise<Commit> {
  const wanted = id.trim().toLowerCase()
  if (!/^[0-9a-f]{4,40}$/.test(wanted))
    throw new UnknownEntry(
      `${JSON.stringify(id)} is not the id of a journal entry; ids are 4 to 40 of 0-9 a-f.`,
    )
  const oid = await repository.expand(wanted)
  const direct = oid && (await repository.commit(oid).catch(() => undefined))
  if (direct) return direct
  const matches: Commit[] = []
  for await (const commit of commitsOf(repository)) {
    if (namesOf(commit).some(name => name.startsWith(wanted))) matches.push(commit)
  }
  const [match, other] = matches
  if (!match) throw new UnknownEntry(`The journal has no entry ${id}.`)
  if (other) throw new UnknownEntry(`More than one entry begins with ${id}; give more of it.`)
  return match
}
