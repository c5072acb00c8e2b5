import { stamp } from './age.ts'
import { withAbsoluteDates } from './dates.ts'
import { type Desk, type Settled, settle, shelfOf } from './desk.ts'
import { type EntryEdit, editEntry } from './entry.ts'
import { entryOf, findFile } from './find.ts'
import { checkFields, refusePinned, refuseSecrets, writeOver } from './save.ts'
import type { Scope, Shelf, StoredText } from './shelf.ts'

export interface Changed extends Settled {
  file: string
  scope: Scope
}

/** Who asks for a change, and where. What Reverie does by itself never touches a pinned memory. */
export interface ChangeOptions {
  scope?: Scope
  by?: 'Owner' | 'Reverie'
}

/** Changes parts of a memory and leaves every other byte as it is. */
export async function editMemory(
  desk: Desk,
  file: string,
  edit: Pick<EntryEdit, 'name' | 'description' | 'type' | 'body' | 'pinned'>,
  options: ChangeOptions = {},
): Promise<Changed> {
  const { shelf } = await findFile(desk, file, options.scope)
  const dated = checkFields(withDates(edit, desk.now()))
  await refuseSecrets([dated.name ?? '', dated.description ?? '', dated.body ?? ''])
  await desk.prepare()
  return shelf.exclusively(async () => {
    const { stored } = await findFile(desk, file, shelf.scope)
    const entry = entryOf(file, stored.text)
    const confirms = dated.name ?? dated.description ?? dated.body ?? dated.type
    const text = editEntry(stored.text, {
      ...dated,
      ...(confirms !== undefined && { updated: stamp(desk.now()) }),
    })
    return replaceText(desk, shelf, file, {
      stored,
      text,
      message: `Edit "${entry.name || file}"`,
      by: options.by,
      confirms: confirms !== undefined,
    })
  })
}

function withDates<T extends { name?: string; description?: string; body?: string }>(edit: T, now: Date): T {
  const { name, description, body } = edit
  return {
    ...edit,
    ...(name !== undefined && { name: withAbsoluteDates(name, now).text }),
    ...(description !== undefined && { description: withAbsoluteDates(description, now).text }),
    ...(body !== undefined && { body: withAbsoluteDates(body, now).text }),
  }
}

/** Puts a whole new text in a memory's place: what a person wrote in an editor. */
export async function rewriteMemory(
  desk: Desk,
  file: string,
  text: string,
  expected: string,
  options: Required<Pick<ChangeOptions, 'scope'>> & ChangeOptions,
): Promise<Changed> {
  await refuseSecrets([text])
  entryOf(file, text)
  const shelf = shelfOf(desk, options.scope)
  await desk.prepare()
  return shelf.exclusively(async () => {
    const { stored } = await findFile(desk, file, options.scope)
    const seen = { ...stored, version: expected }
    return replaceText(desk, shelf, file, {
      stored: seen,
      text,
      message: `Edit ${file}`,
      by: options.by,
      confirms: true,
    })
  })
}

interface Replacement {
  stored: StoredText
  text: string
  message: string
  by: 'Owner' | 'Reverie' | undefined
  /** Whether it says that the memory still holds; pinning does not, and leaves its age alone. */
  confirms: boolean
}

async function replaceText(
  desk: Desk,
  shelf: Shelf,
  file: string,
  { stored, text, message, by = 'Owner', confirms }: Replacement,
): Promise<Changed> {
  if (by !== 'Owner') refusePinned(file, stored.text)
  await desk.catalogue.refresh()
  await writeOver(shelf, file, text, stored.version, confirms ? undefined : stored.mtimeMs)
  const changes = [{ file, before: stored.text, after: text }]
  const settled = await settle(desk, shelf, { message, kind: 'edit', by, changes })
  return { file, scope: shelf.scope, ...settled }
}
