/** What is told of a session in a list: from the two ends of its file. */
import { stat } from 'node:fs/promises'
import { because, ReverieError, readJsonlBackwards, systemCode } from '../store/index.ts'
import { readHeader } from './load.ts'
import { type HeaderRecord, parseRecord, type SessionMeta } from './record.ts'

export interface ListedSession {
  id: string
  title: string
  startedAt: string
  lastAt: string
  bytes: number
  /** Cost so far; left out when it is not known. */
  usd?: number
  tokens: { in: number; out: number }
  model?: string
  /** The directory it is about, and what it is called below `projects/`. */
  project?: string
  slug: string
  /** The program that it was imported from. */
  source?: string
  forkedFrom?: string
  /** Why nothing more is known of it. */
  problem?: string
}

const CHUNK_BYTES = 16 * 1024
/** A reply says how things stand at its end; only the results of tools can come between that and the end of the file. */
const MOST_BYTES_BACK = 4 * 1024 * 1024

/** Undefined when the file has gone, or was made and nothing was written into it yet. */
export async function listSession(
  path: string,
  id: string,
  slug: string,
): Promise<ListedSession | undefined> {
  try {
    const stats = await stat(path)
    if (stats.size === 0 && stats.isFile()) return undefined
    const about = { id, slug, bytes: stats.size, tokens: { in: 0, out: 0 } }
    const lastAt = stats.mtime.toISOString()
    try {
      const header = await readHeader(path)
      const meta = await lastKnown(path, stats.size)
      return { ...about, ...fromHeader(header), lastAt, ...fromMeta(meta) }
    } catch (error) {
      if (!(error instanceof ReverieError) && systemCode(error) === undefined) throw error
      const problem = error instanceof ReverieError ? error.message : because(error)
      return { ...about, title: '', startedAt: lastAt, lastAt, problem }
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function fromHeader({ at, project, source, forkedFrom }: HeaderRecord) {
  return {
    title: '',
    startedAt: at,
    ...(project !== undefined && { project }),
    ...(source && { source: source.agent }),
    ...(forkedFrom && { forkedFrom: forkedFrom.session }),
  }
}

function fromMeta({ title = '', model, lastAt, usage }: SessionMeta) {
  return {
    title,
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
    ...(usage && { tokens: { in: usage.input, out: usage.output } }),
    ...(usage?.usd !== undefined && { usd: usage.usd }),
  }
}

/** How things stood last, and when something was said after that: an answer may never have come. */
async function lastKnown(path: string, size: number): Promise<SessionMeta> {
  let said: SessionMeta = {}
  let reached = size
  for await (const lines of readJsonlBackwards(path, { chunkBytes: CHUNK_BYTES })) {
    for (const { value, offset } of lines) {
      reached = offset
      const parsed = parseRecord(value)
      if (!('record' in parsed)) continue
      const { record } = parsed
      if (record.kind === 'message' && said.lastAt === undefined) said = { lastAt: record.at }
      if (record.kind === 'meta') return { ...record, ...said }
      if (record.kind === 'boundary') return { ...record.meta, ...said }
    }
    if (size - reached > MOST_BYTES_BACK) break
  }
  return said
}
