import { Hono } from 'hono'
import { z } from 'zod'
import { dreamContext } from '../../../assembly/index.ts'
import {
  type DreamNote,
  type DreamOutcome,
  type DreamProgress,
  dream,
  dreamLog,
  dreamStatus,
  progressLine,
  readDiary,
  restoreDream,
  showDream,
} from '../../../dream/index.ts'
import type { Memory } from '../../../memory/index.ts'
import { because } from '../../../store/index.ts'
import { stopDream } from '../../actions/dreams.ts'
import type { Place } from '../place.ts'
import { patchOf } from './memory.ts'
import { bodyOf, pathPart } from './request.ts'

const DREAMS_SHOWN = 60
const NOTED = 'dream.json'

export function dreamsApi(place: Place): Hono {
  const app = new Hono()
  const { home, project, env, config } = place.options
  let running: AbortController | undefined
  const contextOf = async () =>
    dreamContext({ home, project, env, config: (await config()).config, memory: place.memory })
  /** Nobody waits for it here: how far it is, and what came of it, is told to every page. */
  const begin = async (options: { force: boolean; dryRun: boolean }) => {
    const controller = new AbortController()
    running = controller
    try {
      const { signal } = controller
      let so: DreamProgress = {}
      const progress = (news: DreamProgress) => {
        so = { ...so, ...news }
        place.changed('dream', { ...so, progress: progressLine(so) })
      }
      const outcome = await dream(await contextOf(), { ...options, signal, progress })
      place.changed('dream', { outcome: await outcomeShown(outcome) })
    } catch (error) {
      place.changed('dream', {
        outcome: { status: 'failed', reason: because(error), changes: [], warnings: [] },
      })
    } finally {
      running = undefined
    }
  }
  app.get('/', async context => {
    const { memory } = place
    const dreams = await dreamLog(memory, DREAMS_SHOWN)
    const listed = await Promise.all(
      dreams.map(async each => ({
        ...each,
        ...(await tallied(memory, each.id)),
        said: await saidOf(memory, each.id),
      })),
    )
    return context.json({
      status: await dreamStatus(await contextOf()),
      dreams: listed,
      diary: await readDiary(memory),
    })
  })
  app.get('/:id', async context => {
    const { memory } = place
    const { entry, note } = await showDream(memory, pathPart(context, 'id'))
    const changes = await changesShown(await memory.changesOf(entry.id))
    return context.json({ ...entry, formerly: undefined, note, changes: whyEach(changes, note) })
  })
  app.post('/', async context => {
    const { force, dryRun } = await bodyOf(
      context,
      z.strictObject({ force: z.boolean().default(true), dryRun: z.boolean().default(false) }),
    )
    void place.memory // without one there is nothing to begin
    if (running) return context.json({ began: false }, 202)
    void begin({ force, dryRun })
    return context.json({ began: true }, 202)
  })
  app.post('/stop', context => {
    if (running) running.abort(new Error('it was stopped'))
    else stopDream(place.memory)
    return context.json({ stopped: true })
  })
  app.post('/:id/undo', async context => {
    const { again } = await bodyOf(context, z.strictObject({ again: z.boolean().default(false) }))
    return context.json(await restoreDream(place.memory, pathPart(context, 'id'), { again }))
  })
  return app
}

/** Of dreams that were dreamt before reasons were kept there are none. */
function whyEach<Change extends { file: string }>(
  changes: readonly Change[],
  { changes: told = [] }: DreamNote,
) {
  return changes.map(change => ({ ...change, ...pick(told.find(({ file }) => file === change.file)) }))
}

function pick({ action, reason }: { action?: string; reason?: string } = {}) {
  return { action, reason }
}

async function outcomeShown({ status, gate, reason, id, changes, usage, ms, warnings }: DreamOutcome) {
  const shown = await changesShown(changes)
  return {
    status,
    gate,
    reason,
    id,
    changes: shown.map((change, at) => ({
      ...change,
      action: changes[at]?.action,
      reason: changes[at]?.reason,
    })),
    tokens: { in: usage.input, out: usage.output },
    ms,
    warnings,
  }
}

async function changesShown(
  changes: readonly { file: string; before: string | null; after: string | null }[],
) {
  const { createPatch } = await import('diff')
  return changes
    .filter(({ file }) => file !== NOTED)
    .map(({ file, before, after }) => ({
      file,
      what: before === null ? 'created' : after === null ? 'removed' : 'changed',
      patch: patchOf(createPatch, file, before, after),
    }))
}

/** What it learnt and let go, in its own sentences; where it did neither, what it found. */
async function saidOf(memory: Memory, id: string): Promise<string[]> {
  const note = JSON.parse((await memory.noted(id, NOTED)) ?? '{}') as {
    learnt?: string[]
    letGo?: string[]
    findings?: { detail: string }[]
  }
  const said = [...(note.learnt ?? []), ...(note.letGo ?? [])]
  return said.length > 0 ? said : [...new Set(note.findings?.map(({ detail }) => detail))]
}

/** For the picture of what each dream has done. */
async function tallied(memory: Memory, id: string) {
  const changes = (await memory.changesOf(id)).filter(({ file }) => file !== NOTED)
  return {
    created: changes.filter(({ before }) => before === null).length,
    removed: changes.filter(({ after }) => after === null).length,
    changed: changes.filter(({ before, after }) => before !== null && after !== null).length,
  }
}
