import { Hono } from 'hono'
import { z } from 'zod'
import { type FullMemory, MEMORY_TYPES, type Memory, SCOPES, type Scope } from '../../../memory/index.ts'
import { ReverieError } from '../../../store/index.ts'
import { GrowthOf } from '../growth.ts'
import type { Place } from '../place.ts'
import { bodyOf, defined, pathPart, queryOf } from './request.ts'

const scope = z.enum(SCOPES)
const type = z.enum(MEMORY_TYPES)
const draft = z.strictObject({
  type,
  name: z.string().min(1),
  description: z.string().min(1),
  body: z.string(),
  pinned: z.boolean().optional(),
  scope: scope.optional(),
})
const edit = z.strictObject({
  type: type.optional(),
  name: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
  body: z.string().optional(),
  pinned: z.boolean().optional(),
  /** What `get` gave: refused when somebody has changed it since. */
  version: z.string().optional(),
})
const search = z.object({ q: z.string().min(1), k: z.coerce.number().int().min(1).max(100).default(30) })

const HISTORY_SHOWN = 100

class ChangedMeanwhile extends ReverieError {}
class UnknownScope extends ReverieError {}

export function memoryApi(place: Place): Hono {
  const app = new Hono()
  const growth = new GrowthOf(() => place.memory)
  app.get('/', async context => context.json(await place.memory.list()))
  app.get('/search', async context => {
    const { q, k } = queryOf(context, search)
    return context.json(await place.memory.search(q, k))
  })
  app.get('/growth', async context => context.json(await growth.points()))
  app.post('/', async context =>
    context.json(await place.memory.save(defined(await bodyOf(context, draft))), 201),
  )
  app.post('/undo', async context => {
    const { id } = await bodyOf(context, z.strictObject({ id: z.string().optional() }))
    return context.json(await place.memory.undo(id))
  })
  app.get('/:scope/:file', async context => {
    const { memory } = place
    return context.json(
      shown(await memory.get(pathPart(context, 'file'), scopeOf(context.req.param('scope')))),
    )
  })
  app.get('/:scope/:file/history', async context =>
    context.json(
      await historyOf(place.memory, pathPart(context, 'file'), scopeOf(context.req.param('scope'))),
    ),
  )
  app.patch('/:scope/:file', async context => {
    const { memory } = place
    const [file, scope] = [pathPart(context, 'file'), scopeOf(context.req.param('scope'))]
    const { version, pinned, ...change } = await bodyOf(context, edit)
    if (version !== undefined && (await memory.get(file, scope)).version !== version)
      throw new ChangedMeanwhile(
        `${file} was changed meanwhile; look at it again, and edit what is there now.`,
      )
    const changes = Object.values(change).some(value => value !== undefined)
    // Pinning says nothing of whether it still holds, so it leaves its age alone.
    if (pinned !== undefined && !changes) await memory.pin(file, pinned, { scope })
    else await memory.edit(file, { ...defined(change), ...(pinned !== undefined && { pinned }) }, { scope })
    return context.json(shown(await memory.get(file, scope)))
  })
  app.delete('/:scope/:file', async context =>
    context.json(
      await place.memory.forget(pathPart(context, 'file'), { scope: scopeOf(context.req.param('scope')) }),
    ),
  )
  return app
}

function shown({ text: _, ...memory }: FullMemory): object {
  return memory
}

function scopeOf(text: string): Scope {
  const { success, data } = scope.safeParse(text)
  if (success) return data
  throw new UnknownScope(`"${text}" is not a scope: ${SCOPES.join(', ')}.`)
}

/** What became of one memory, the newest first, each time with what changed in it. */
async function historyOf(memory: Memory, file: string, scope: Scope) {
  const { createPatch } = await import('diff')
  const entries = (await memory.history(file, scope)).slice(0, HISTORY_SHOWN)
  return Promise.all(
    entries.map(async ({ id, at, by, kind, message }) => {
      const changed = (await memory.changesOf(id, scope)).find(each => each.file === file)
      const patch = changed ? patchOf(createPatch, file, changed.before, changed.after) : ''
      return { id, at, by, kind, message, patch }
    }),
  )
}

type CreatePatch = typeof import('diff').createPatch

/** Of a unified diff the part that a person reads. */
export function patchOf(
  createPatch: CreatePatch,
  file: string,
  before: string | null,
  after: string | null,
): string {
  return createPatch(file, before ?? '', after ?? '', undefined, undefined, { context: 3 })
    .split('\n')
    .slice(4)
    .join('\n')
}
