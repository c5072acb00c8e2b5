import { ensureDirectory, writeFileAtomic } from '../store/index.ts'
import { DAY_MS } from './age.ts'
import { type Desk, settle } from './desk.ts'
import type { Changed, ChangeOptions } from './edit.ts'
import { AmbiguousMemory, findFile, NoSuchMemory, shelvesFor } from './find.ts'
import { assertMemoryFile, INDEX_FILE } from './name.ts'
import { withRefused } from './refusals.ts'
import { refusePinned } from './save.ts'
import type { Scope, Shelf, Trashed } from './shelf.ts'

/** What was forgotten is kept this long. */
const TRASH_DAYS = 30

export interface ForgetOptions extends ChangeOptions {
  /** Also from the trash and the journal: as if it had never been. */
  purge?: boolean
}

/** Moves a memory to the trash. */
export async function forgetMemory(desk: Desk, file: string, options: ForgetOptions = {}): Promise<Changed> {
  assertMemoryFile(file)
  if (options.purge) return purge(desk, file, options.scope)
  const { shelf } = await findFile(desk, file, options.scope)
  await desk.prepare()
  return shelf.exclusively(async () => {
    const { stored } = await findFile(desk, file, shelf.scope)
    const by = options.by ?? 'Owner'
    if (by !== 'Owner') refusePinned(file, stored.text)
    await emptyOldTrash(desk, shelf)
    await shelf.discard(file)
    await refuse(shelf, file, stored.text)
    const changes = [{ file, before: stored.text, after: null }]
    const settled = await settle(desk, shelf, { message: `Forget ${file}`, kind: 'forget', by, changes })
    return { file, scope: shelf.scope, ...settled }
  })
}

/** What was said in a session would else be learnt anew by the next dream. Only a hash of it is kept. */
async function refuse(shelf: Shelf, file: string, text: string): Promise<void> {
  const refused = withRefused(shelf.state, [{ file, before: null, after: text }])
  await ensureDirectory(shelf.state)
  await writeFileAtomic(refused.path, refused.text)
}

async function purge(desk: Desk, file: string, scope: Scope | undefined): Promise<Changed> {
  const shelf = await shelfToPurge(desk, file, scope)
  await desk.prepare()
  return shelf.exclusively(async () => {
    const there = await shelf.read(file)
    if (there && 'text' in there) await refuse(shelf, file, there.text)
    if (there) await shelf.discard(file)
    await shelf.erase(await trashedCopies(shelf, file))
    const settled = await settle(desk, shelf, {
      message: 'Purge a memory',
      kind: 'purge',
      by: 'Owner',
      changes: [],
    })
    await desk.journal.purge(shelf.journalPath(file))
    // Earlier versions of the index named it; what they said of other memories is in those memories' files.
    await desk.journal.purge(shelf.journalPath(INDEX_FILE))
    await shelf.tidy()
    desk.catalogue.startAnew()
    return { file, scope: shelf.scope, ...settled, entry: undefined }
  })
}

/** A file that is gone already may still be in the trash or the journal. What cannot be undone is not guessed. */
async function shelfToPurge(desk: Desk, file: string, scope: Scope | undefined): Promise<Shelf> {
  const shelves: Shelf[] = []
  for (const shelf of shelvesFor(desk, scope)) if (await knows(desk, shelf, file)) shelves.push(shelf)
  const [shelf, other] = shelves
  if (!shelf) throw new NoSuchMemory(`There is no memory ${file}, neither kept nor forgotten.`)
  if (!other) return shelf
  const scopes = shelves.map(each => each.scope).join(' and ')
  throw new AmbiguousMemory(
    `${file} is, or was, in ${scopes}. Say which to purge: --scope ${shelf.scope} or --scope ${other.scope}.`,
  )
}

async function knows(desk: Desk, shelf: Shelf, file: string): Promise<boolean> {
  if (await shelf.read(file)) return true
  if ((await trashedCopies(shelf, file)).length > 0) return true
  for await (const _ of desk.journal.log({ path: shelf.journalPath(file) })) return true
  return false
}

export async function trashedCopies(shelf: Shelf, file: string): Promise<Trashed[]> {
  return (await shelf.trashed()).filter(trashed => trashed.file === file)
}

async function emptyOldTrash(desk: Desk, shelf: Shelf): Promise<void> {
  const limit = desk.now().getTime() - TRASH_DAYS * DAY_MS
  await shelf.erase((await shelf.trashed()).filter(({ at }) => at.getTime() < limit))
}

/** Brings the newest forgotten memory of that name back, as old as it was. */
export async function restoreMemory(desk: Desk, file: string, options: ChangeOptions = {}): Promise<Changed> {
  assertMemoryFile(file)
  for (const shelf of shelvesFor(desk, options.scope)) {
    const [newest] = await trashedCopies(shelf, file)
    if (!newest) continue
    await desk.prepare()
    return shelf.exclusively(async () => {
      await shelf.recover(newest)
      const { stored } = await findFile(desk, file, shelf.scope)
      const changes = [{ file, before: null, after: stored.text }]
      const settled = await settle(desk, shelf, {
        message: `Restore ${file}`,
        kind: 'restore',
        by: options.by ?? 'Owner',
        changes,
      })
      return { file, scope: shelf.scope, ...settled }
    })
  }
  throw new NoSuchMemory(
    `${file} is not in the trash. What was forgotten is kept there for ${TRASH_DAYS} days.`,
  )
}
