/** What extraction would keep and the owner wants to be asked about: waits for a yes or a no, however long. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Companion, Memory, RevisionOutcome, Scope } from '../memory/index.ts'
import { ReverieError, readSmallFile } from '../store/index.ts'
import type { CopiedChange } from './copy.ts'

export interface Proposal {
  /** By which it is answered. */
  id: string
  /** ISO 8601. */
  at: string
  session: string
  scope: Scope
  file: string
  name: string
  /** Null when it would be a new memory. */
  before: string | null
  after: string
}

class NoSuchProposal extends ReverieError {}

/** More than anybody would look through; the oldest go. */
const MOST_KEPT = 200
const MOST_CHARACTERS = 200_000
const ID_LENGTH = 6
const EVERYTHING = 'all'

/** The newest first. */
export function listProposals(memory: Memory): Proposal[] {
  return readProposals(pathOf(memory)).reverse()
}

export interface Kept {
  kept: readonly Proposal[]
  /** Of the journal, for undoing it. */
  entries: readonly string[]
  /** What was changed meanwhile on the same lines, and stays as it is. */
  dropped: readonly { file: string; why: string }[]
}

/** Keeps what was proposed, or `all` of it. */
export async function keepProposal(memory: Memory, id: string): Promise<Kept> {
  const wanted = chosen(listProposals(memory), id)
  const outcomes: RevisionOutcome[] = []
  // Last of all the project's: with it, it is written down that these have been answered.
  const scopes = [...new Set<Scope>([...wanted.map(({ scope }) => scope), 'project'])]
  for (const scope of scopes.toSorted((a, b) => Number(a === 'project') - Number(b === 'project'))) {
    const changes = wanted.filter(proposal => proposal.scope === scope)
    outcomes.push(
      await memory.revise(scope, {
        message: `Keep ${changes.map(({ name }) => `"${name}"`).join(', ')}`,
        kind: 'extraction',
        by: 'Owner',
        changes: changes.map(({ file, before, after }) => ({ file, seen: before, text: after })),
        ...(scope === 'project' && { finish: () => ({ companions: [without(memory, wanted)] }) }),
      }),
    )
  }
  const dropped = outcomes.flatMap(outcome => outcome.dropped)
  const kept = wanted.filter(({ file }) => !dropped.some(each => each.file === file))
  return { kept, dropped, entries: outcomes.flatMap(({ entry }) => (entry === undefined ? [] : [entry])) }
}

/** Lets go of what was proposed, or of `all` of it. */
export async function dropProposal(memory: Memory, id: string): Promise<readonly Proposal[]> {
  const unwanted = chosen(listProposals(memory), id)
  const finish = () => ({ companions: [without(memory, unwanted)] })
  await memory.revise('project', {
    message: 'Drop what was proposed',
    kind: 'extraction',
    changes: [],
    finish,
  })
  return unwanted
}

export function proposalsOf(
  changes: readonly CopiedChange[],
  { session, now }: { session: string; now: Date },
): Proposal[] {
  return changes.map(change => ({ id: idOf(change), at: now.toISOString(), session, ...change }))
}

/** The file with these in it; to be asked for while nobody else changes memory. */
export function withProposals(memory: Memory, proposals: readonly Proposal[]): Companion {
  const others = readProposals(pathOf(memory)).filter(({ id }) => proposals.every(each => each.id !== id))
  const all = [...others, ...proposals].slice(-MOST_KEPT)
  while (printProposals(all).length > MOST_CHARACTERS && all.length > 1) all.shift()
  return { path: pathOf(memory), text: printProposals(all) }
}

function without(memory: Memory, answered: readonly Proposal[]): Companion {
  const ids = new Set(answered.map(({ id }) => id))
  const left = readProposals(pathOf(memory)).filter(({ id }) => !ids.has(id))
  return { path: pathOf(memory), text: printProposals(left) }
}

function chosen(proposals: readonly Proposal[], id: string): readonly Proposal[] {
  if (id === EVERYTHING) return proposals
  const found = proposals.filter(proposal => id !== '' && proposal.id.startsWith(id))
  if (found.length === 1) return found
  throw new NoSuchProposal(
    `${found.length === 0 ? 'Nothing' : 'More than one thing'} that waits for an answer is called ${id}. \`reverie memory proposed\` lists it.`,
  )
}

function pathOf(memory: Memory): string {
  return join(memory.state('project'), 'proposals.json')
}

function readProposals(path: string): Proposal[] {
  try {
    const { proposals } = JSON.parse(readSmallFile(path) ?? '') as { proposals?: unknown }
    return Array.isArray(proposals) ? (proposals as Proposal[]) : []
  } catch {
    return []
  }
}

function printProposals(proposals: readonly Proposal[]): string {
  return `${JSON.stringify({ proposals }, null, 1)}\n`
}

function idOf({ scope, file, after }: CopiedChange): string {
  return createHash('sha256').update(`${scope}\0${file}\0${after}`).digest('hex').slice(0, ID_LENGTH)
}
