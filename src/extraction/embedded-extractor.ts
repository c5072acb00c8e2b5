/** Extraction without a model: what the owner stated in so many words, unless a memory says it already. */
import {
  contradiction,
  type DreamMemory,
  isCovered,
  looksInjected,
  readMemory,
  withoutSentence,
} from '../dream/index.ts'
import {
  type EntryEdit,
  editEntry,
  exclusionOf,
  findSecrets,
  type Memory,
  parseEntry,
  printEntry,
} from '../memory/index.ts'
import { EMBEDDED, type Statement, statementReader } from '../models/index.ts'
import type { MemoryCopy } from './copy.ts'
import type { ExtractionTask, Extractor, NewMemory } from './extractor.ts'

/** Memories with which a statement is compared: those nearest to it. */
const COMPARED = 10

export const embeddedExtractor: Extractor = {
  name: EMBEDDED,
  async extract(task) {
    const statementsIn = await statementReader()
    for (const { who, text, at } of task.talk.turns) {
      if (who !== 'owner' || looksInjected(text, 'owner')) continue
      const said = new Date(at)
      for (const statement of statementsIn(text, said)) await keep(task, statement, said)
    }
  },
}

async function keep({ memory, copy, signal }: ExtractionTask, statement: Statement, at: Date): Promise<void> {
  signal.throwIfAborted()
  const { type, name, description, body } = statement
  if (
    exclusionOf(statement, await memory.instructions()) ||
    (await findSecrets(`${name}\n${description}\n${body}`)).length > 0
  )
    return
  const draft: NewMemory = { type, name, description, body, origin: 'owner', at }
  if (await isKnown(draft, memory, copy)) return
  const existing = copy.named(draft)
  const before = existing && (await copy.read(existing.file))
  if (existing === undefined || before === undefined) {
    copy.create(draft)
    return
  }
  const parsed = parseEntry(before)
  if (!parsed.ok || parsed.entry.pinned) return
  await copy.update(existing.file, editEntry(before, broughtUpToDate(existing.file, before, draft)), draft)
}

/** What no longer holds gives way; whatever else the memory of that name tells stays. */
function broughtUpToDate(file: string, before: string, draft: NewMemory): EntryEdit {
  const { description, body, at } = draft
  const old = readMemory(asDreamMemory(file, before, at))
  const young = readMemory(asDreamMemory('new.md', printNew(draft), at))
  const found = contradiction(old, young)
  if (found && old.said.length <= 1) return { description, body }
  const rest = found?.old ? withoutSentence(old.memory.body, found.old) : old.memory.body
  const isOutdated = contradiction(readMemory({ ...old.memory, body: '' }), young) !== undefined
  return {
    body: [rest, body].filter(part => part !== '').join('\n\n'),
    ...(isOutdated && { description }),
  }
}

async function isKnown(draft: NewMemory, memory: Memory, copy: MemoryCopy): Promise<boolean> {
  const said = readMemory(asDreamMemory('new.md', printNew(draft), draft.at))
  const near = await memory.search(`${draft.name} ${draft.description} ${draft.body}`, COMPARED)
  const made = copy.changes().map(({ file }) => file)
  for (const file of new Set([...near.map(({ file }) => file), ...made])) {
    const text = await copy.read(file)
    if (
      text !== undefined &&
      parseEntry(text).ok &&
      isCovered(said, readMemory(asDreamMemory(file, text, draft.at)))
    )
      return true
  }
  return false
}

function printNew({ at: _, ...draft }: NewMemory): string {
  const none = { created: undefined, updated: undefined, sources: [], supersedes: [], pinned: false }
  return printEntry({ ...draft, ...none })
}

function asDreamMemory(file: string, text: string, confirmed: Date): DreamMemory {
  const parsed = parseEntry(text)
  if (!parsed.ok) throw new Error(`${file} is no memory`)
  const { name, description, type, body, pinned, origin } = parsed.entry
  return { file, text, name, description, type, body, pinned, origin, confirmed }
}
