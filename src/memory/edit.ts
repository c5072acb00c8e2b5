import { stamp } from './age.ts'
import { type Desk, type Settled, settle, shelfOf } from './desk.ts'
import { type EntryEdit, editEntry } from './entry.ts'
import { entryOf, findFile } from './find.ts'
import { refuseSecrets, writeOver } from './save.ts'
import type { Scope, Shelf, StoredText } from './shelf.ts'

export interface Changed extends Settled {
  file: string
  scope: Scope
}

/** Changes parts of a memory and leaves every other byte as it is. */
export async function editMemory(
  desk: Desk,
  file: string,
  edit: Pick<EntryEdit, 'name' | 'description' | 'type' | 'body' | 'pinned'>,
  options: { scope?: Scope } = {},
): Promise<Changed> {
  const { shelf } = await findFile(desk, file, options.scope)
  await refuseSecrets([edit.name ?? '', edit.description ?? '', edit.body ?? ''])
  await desk.prepare()
  return shelf.exclusively(async () => {
    const { stored } = await findFile(desk, file, shelf.scope)
    const entry = entryOf(file, stored.text)
    const confirms = edit.name ?? edit.description ?? edit.body ?? edit.type
    const text = editEntry(stored.text, {
      ...edit,
      ...(confirms !== undefined && { updated: stamp(desk.now()) }),
    })
    return replaceText(desk, shelf, file, stored, text, `Edit "${entry.name || file}"`)
  })
}

/** Puts a whole new text in a memory's place: what a person wrote in an editor. */
export async function rewriteMemory(
  desk: Desk,
  file: string,
  text: string,
  expected: string,
  scope: Scope,
): Promise<Changed> {
  await refuseSecrets([text])
  entryOf(file, text)
  const shelf = shelfOf(desk, scope)
  await desk.prepare()
  return shelf.exclusively(async () => {
    const { stored } = await findFile(desk, file, scope)
    return replaceText(desk, shelf, file, { ...stored, version: expected }, text, `Edit ${file}`)
  })
}

async function replaceText(
  desk: Desk,
  shelf: Shelf,
  file: string,
  stored: StoredText,
  text: string,
  message: string,
): Promise<Changed> {
  await desk.catalogue.refresh()
  await writeOver(shelf, file, text, stored.version)
  const changes = [{ file, before: stored.text, after: text }]
  const settled = await settle(desk, shelf, { message, kind: 'edit', by: 'Owner', changes })
  return { file, scope: shelf.scope, ...settled }
}
