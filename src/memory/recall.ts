import { clearlyRelevant, type Hit, snippet } from '../search/index.ts'
import { because } from '../store/index.ts'
import { type Age, ageNote, ageOf } from './age.ts'
import type { MemoryHead } from './catalogue.ts'
import { idOf } from './catalogue-reading.ts'
import type { Desk } from './desk.ts'
import { shelfOf } from './desk.ts'
import { parseEntry } from './entry.ts'
import { type Embedder, likeness } from './likeness.ts'
import { priorOf } from './worth.ts'

export interface Recalled
  extends Age,
    Pick<MemoryHead, 'file' | 'scope' | 'name' | 'description' | 'type' | 'origin' | 'pinned'> {
  score: number
  /** The part of it that answers the question. */
  snippet: string
  /** How old it is, and whether to verify it: goes wherever the memory is shown. */
  note: string
}

export interface RecallOptions {
  /** How many at most. */
  k?: number
  /** Files that were shown in this conversation already, as `scope/file`. */
  shown?: readonly string[]
  /** Chooses among the best by more than words. Where it cannot, words decide. */
  select?: Select
}

/** What is known of a memory without reading it. */
export interface Candidate extends Pick<MemoryHead, 'name' | 'description' | 'type'> {
  /** As `scope/file`. */
  id: string
  note: string
}

/** The ids of those that answer the question, the best first; undefined when it could not be told. */
export type Select = (
  query: string,
  candidates: readonly Candidate[],
) => Promise<readonly string[] | undefined>

/** How many memories a message brings back at most (2-memory.md). */
export const RECALLED_AT_MOST = 5
/** How many are looked at before the priors settle the order. */
const CANDIDATES = 50
/** Of how many somebody may choose: enough that what words rank low is among them, and little to read. */
const SELECTED_FROM = 20

/** The memories that clearly answer a question; none when none does. */
export async function recallMemories(
  desk: Desk,
  query: string,
  { k = RECALLED_AT_MOST, shown = [], select }: RecallOptions,
  embedder: Embedder | undefined,
): Promise<Recalled[]> {
  const { hits, alike } = await findHits(desk, query, embedder)
  const relevant = new Set(clearlyRelevant(hits).map(({ id }) => id))
  const unseen = hits.filter(({ id }) => !shown.includes(id))
  const chosen =
    (select && (await selected(desk, query, unseen.slice(0, SELECTED_FROM), select))) ??
    unseen.filter(({ id }) => relevant.has(id) || alike.has(id))
  const recalled = await present(desk, chosen.slice(0, k))
  desk.catalogue.countRecalled(recalled.map(({ scope, file }) => idOf(scope, file)))
  return recalled
}

async function selected(
  desk: Desk,
  query: string,
  hits: readonly Hit[],
  select: Select,
): Promise<Hit[] | undefined> {
  if (hits.length === 0) return []
  const heads = desk.catalogue.headsOf(hits.map(({ id }) => id))
  const now = desk.now().getTime()
  const candidates = hits.flatMap(({ id }) => {
    const head = heads.get(id)
    if (!head) return []
    const { name, description, type, confirmed } = head
    return [{ id, name, description, type, note: ageNote(ageOf(confirmed, now)) }]
  })
  const ids = await select(query, candidates)
  return ids?.flatMap(id => hits.find(hit => hit.id === id) ?? [])
}

/** The best there is for a question, relevant or not. */
export async function searchMemories(
  desk: Desk,
  query: string,
  k: number,
  embedder: Embedder | undefined,
): Promise<Recalled[]> {
  const { hits } = await findHits(desk, query, embedder)
  return present(desk, hits.slice(0, k))
}

interface Found {
  hits: Hit[]
  /** What a configured embedding model finds alike beyond doubt. */
  alike: ReadonlySet<string>
}

async function findHits(desk: Desk, query: string, embedder: Embedder | undefined): Promise<Found> {
  const byWords = withPriors(desk, await desk.catalogue.search(query, CANDIDATES))
  if (!embedder) return { hits: byWords, alike: new Set() }
  try {
    const { signal, alike } = likeness(desk.catalogue, embedder)
    // Joined by rank: a prior on scores that only one of the signals has would tear them apart.
    return { hits: await desk.catalogue.searchWith(signal, query, CANDIDATES), alike: alike() }
  } catch (error) {
    // Nothing needs a model, so one that fails takes nothing away.
    process.emitWarning(
      `${embedder.model} could not be asked, words alone decide: ${because(error)}`,
      'ReverieWarning',
    )
    return { hits: byWords, alike: new Set() }
  }
}

function withPriors(desk: Desk, hits: Hit[]): Hit[] {
  const now = desk.now().getTime()
  const heads = desk.catalogue.headsOf(hits.map(({ id }) => id))
  return hits
    .flatMap(hit => {
      const head = heads.get(hit.id)
      return head ? [{ ...hit, score: hit.score * priorOf(head, now) }] : []
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

async function present(desk: Desk, hits: readonly Hit[]): Promise<Recalled[]> {
  const heads = desk.catalogue.headsOf(hits.map(({ id }) => id))
  const recalled: Recalled[] = []
  for (const { id, score, matched } of hits) {
    const head = heads.get(id)
    if (!head) continue
    const age = ageOf(head.confirmed, desk.now().getTime())
    const { file, scope, name, description, type, origin, pinned } = head
    const text = await snippetOf(desk, head, matched)
    recalled.push({
      file,
      scope,
      name,
      description,
      type,
      origin,
      pinned,
      score,
      ...age,
      snippet: text,
      note: ageNote(age),
    })
  }
  return recalled
}

async function snippetOf(
  desk: Desk,
  { scope, file, description }: MemoryHead,
  terms: readonly string[],
): Promise<string> {
  const stored = await shelfOf(desk, scope).read(file)
  const parsed = stored && 'text' in stored ? parseEntry(stored.text) : undefined
  const body = parsed?.ok ? parsed.entry.body : ''
  const inBody = snippet(body, terms)
  return inBody.marks.length > 0 || description === '' ? inBody.text : snippet(description, terms).text
}
