import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportLedger, Memory, Scope } from '../../memory/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Reporting, Tally } from './report.ts'
import type { SourceMemory } from './source.ts'

/** Where memories go. In a dry run `memory` is one that is thrown away, which refuses what the real one would. */
export interface MemoryTarget {
  agent: string
  memory: Memory
  /** What the memory was opened with for a clock: memories are as old as they were. */
  clock: { now: Date }
  /** Where the memories of a scope really are. */
  place: (scope: Scope) => string
  ledger: ImportLedger
  dryRun: boolean
  now: () => Date
}

type Fresh = Pick<SourceMemory, 'id' | 'file' | 'text' | 'at' | 'draft'>

/** Keeps a memory, unless it is here already, or was and is no more. */
export async function importMemory(source: Fresh, target: MemoryTarget, reporting: Reporting): Promise<void> {
  const { agent, ledger } = target
  const state = ledger.state(agent, source.id, source.text)
  const became = ledger.memoryOf(agent, source.id)
  if (state === 'unchanged' || (state === 'changed' && !isThere(became, target))) {
    reporting.memories.unchanged++
    return
  }
  try {
    target.clock.now = source.at
    const saved = state === 'new' ? await keep(source, target) : await bringUpToDate(source, became, target)
    if (!target.dryRun) await ledger.record(agent, source.id, source.text, saved.memory, target.now())
    reporting.memories[saved.outcome]++
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    reporting.cannotRead(source.file, error.message)
  }
}

interface Kept {
  outcome: keyof Tally
  /** `scope/file`, as the ledger has it. */
  memory: string
}

function isThere(memory: string | null | undefined, { place }: MemoryTarget): boolean {
  const { scope, file } = placeOf(memory)
  return file !== '' && existsSync(join(place(scope), file))
}

function placeOf(memory: string | null | undefined): { scope: Scope; file: string } {
  const [scope = '', file = ''] = (memory ?? '').split('/', 2)
  return { scope: scope as Scope, file }
}

/** What somebody remembered here under the same name is theirs: an import stands beside it, not in its place. */
async function keep({ draft }: Fresh, { agent, memory }: MemoryTarget): Promise<Kept> {
  const scope = draft.scope ?? 'project'
  const namesake = (await memory.list(scope)).find(
    ({ type, name }) => type === draft.type && sameName(name, draft.name),
  )
  if (namesake) {
    const { body } = await memory.get(namesake.file, scope)
    if (body.trim() === draft.body.trim())
      return { outcome: 'unchanged', memory: `${scope}/${namesake.file}` }
  }
  const name = namesake ? `${draft.name} (from ${agent})` : draft.name
  const saved = await memory.save({ ...draft, name, origin: 'import' })
  return { outcome: 'added', memory: `${saved.scope}/${saved.file}` }
}

async function bringUpToDate(
  { draft }: Fresh,
  became: string | null | undefined,
  { agent, memory, dryRun }: MemoryTarget,
): Promise<Kept> {
  const { scope, file } = placeOf(became)
  const { pinned: _, ...fields } = draft
  if (dryRun) {
    // What would be changed is not in the memory that is thrown away; saving it tells what would be refused.
    await memory.save({ ...fields, origin: 'import' })
    return { outcome: 'updated', memory: `${scope}/${file}` }
  }
  const there = await memory.get(file, scope)
  const isNamesake = sameName(there.name, `${draft.name} (from ${agent})`)
  if (there.type === draft.type && (isNamesake || sameName(there.name, draft.name))) {
    const saved = await memory.save({ ...fields, name: there.name, scope, origin: 'import' })
    return { outcome: saved.unchanged ? 'unchanged' : 'updated', memory: `${saved.scope}/${saved.file}` }
  }
  const { type, name, description, body } = draft
  await memory.edit(file, { type, name, description, body }, { scope, by: 'Reverie' })
  return { outcome: 'updated', memory: `${scope}/${file}` }
}

function sameName(a: string, b: string): boolean {
  const plain = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim()
  return plain(a) === plain(b)
}
