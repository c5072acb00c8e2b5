/** What dreams can be asked for, by a command or in a conversation. */
import { dreamContext, dreamLine } from '../../assembly/index.ts'
import {
  askToStop,
  type DreamContext,
  type DreamOptions,
  type DreamOutcome,
  dream,
  dreamLog,
  dreamStatus,
  openIn,
  placeOf,
  readDiary,
  readRunning,
  reportForPrograms,
  restoreDream,
  showDream,
} from '../../dream/index.ts'
import type { Memory } from '../../memory/index.ts'
import type { Usage } from '../../session/index.ts'
import { ReverieError } from '../../store/index.ts'
import { printUndone } from '../text/memories.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import type { Where } from './where.ts'

export interface DreamAnswer {
  value: unknown
  text: string
}

export async function dreamContextOf(where: Where, memory: Memory, session?: string): Promise<DreamContext> {
  const { home, project, env } = where
  const { config } = await where.config()
  return dreamContext({ home, project, config, env, memory, session })
}

export async function runDream(context: DreamContext, options: DreamOptions): Promise<DreamAnswer> {
  const outcome = await dream(context, options)
  return { value: reportForPrograms(outcome), text: await outcomeText(outcome) }
}

const DAY = 'YYYY-MM-DD'.length

/** What `--force` passes (3-dream.md). */
const FORCIBLE: ReadonlySet<string | undefined> = new Set(['time', 'scan', 'sessions'])

async function outcomeText(outcome: DreamOutcome): Promise<string> {
  const { status, gate, reason, changes, open, warnings, usage } = outcome
  const listed = changes.map(({ file, action, reason }) => printable(`${action} ${file}: ${reason}`))
  const warned = [
    ...open.map(each => printable(`for you to decide: ${each}`)),
    ...warnings.map(warning => printable(`note: ${warning}`)),
    ...costOf(usage),
  ]
  switch (status) {
    case 'skipped':
      return `No dream (${gate}): ${reason}.${FORCIBLE.has(gate) ? ' With --force it is dreamt all the same.' : ''}`
    case 'nothing':
      return ['All is in order; nothing was changed.', ...warned].join('\n')
    case 'done':
      return [dreamLine(outcome) ?? '', ...listed, ...warned].join('\n')
    case 'dry-run': {
      const { createTwoFilesPatch } = await import('diff')
      const diffs = changes.map(({ file, before, after }) =>
        printable(createTwoFilesPatch(file, file, before ?? '', after ?? '').replace(/^=+\n/, '')),
      )
      return [
        changes.length === 0
          ? 'A dream would change nothing.'
          : 'A dream would do this; nothing was changed:',
        ...listed,
        ...diffs,
        ...warned,
      ].join('\n')
    }
  }
}

/** Nothing where no model was asked. */
function costOf({ input, output, usd }: Usage): string[] {
  if (input + output === 0) return []
  return [`(${input} tokens in, ${output} out${usd === undefined ? '' : `: $${usd.toFixed(4)}`})`]
}

export async function showStatus(context: DreamContext): Promise<DreamAnswer> {
  const status = await dreamStatus(context)
  const { lastConsolidatedAt, hoursSince, sessionsSince, wouldRun, reason, phase } = status
  const last = lastSaid(lastConsolidatedAt, hoursSince ?? 0)
  const now = phase === null ? '' : ` One goes on now: ${status.progress}.`
  const next = wouldRun ? 'It is time for one.' : `Not yet: ${reason}.`
  return { value: status, text: `${last}${now} ${sessionsSince} sessions since. ${next}` }
}

function lastSaid(at: string | null, hours: number): string {
  if (at === null) return 'There was no dream yet.'
  if (hours < 0) return `The last dream is dated in the future (${at.slice(0, DAY)}); it counts as due.`
  return `The last dream was ${hours} hours ago.`
}

export async function showLog(memory: Memory, columns?: number): Promise<DreamAnswer> {
  const dreams = await dreamLog(memory)
  const rows = dreams.map(({ id, at, message, files, undone }) => [
    id,
    at.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length),
    `${files} ${files === 1 ? 'file' : 'files'}${undone ? ', undone' : ''}`,
    printable(message),
  ])
  return {
    value: dreams.map(({ at, ...dream }) => ({ ...dream, at: at.toISOString() })),
    text: rows.length === 0 ? 'No dream has changed anything yet.' : table(rows, columns),
  }
}

export async function showOne(memory: Memory, id: string): Promise<DreamAnswer> {
  const { entry, diff, note } = await showDream(memory, id)
  const why = [
    ...(note.changes ?? []).map(({ file, action, reason }) => `${action} ${file}: ${reason}`),
    ...openIn(note).map(each => `for you to decide: ${each}`),
  ]
  return {
    value: {
      id: entry.id,
      at: entry.at.toISOString(),
      message: entry.message,
      diff,
      note,
    },
    text: printable([entry.message, ...why, '', diff].join('\n')),
  }
}

export async function takeBack(memory: Memory, id: string, again: boolean): Promise<DreamAnswer> {
  const undone = await restoreDream(memory, id, { again })
  const after = again ? 'What it read will be dreamt anew.' : 'No later dream will do the same.'
  return { value: undone, text: `${printUndone(undone)}\n${after}` }
}

export async function showDiary(memory: Memory): Promise<DreamAnswer> {
  const entries = await readDiary(memory)
  return {
    value: entries,
    text: entries.length === 0 ? 'The diary is empty.' : printable(entries.join('\n')),
  }
}

/** Its process rolls back and says so. */
export function stopDream(memory: Memory): DreamAnswer {
  const running = readRunning(placeOf(memory).state)
  if (!running) throw new ReverieError('Nobody is dreaming here.')
  askToStop(running.pid)
  return {
    value: { pid: running.pid },
    text: `Asked process ${running.pid} to stop dreaming; memory stays as it was.`,
  }
}
