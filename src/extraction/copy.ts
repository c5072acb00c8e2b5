/** The copy on which extraction works: reads what it needs, whatever else there is, and writes nothing anywhere. */
import {
  editEntry,
  fileNames,
  type ListedMemory,
  type Memory,
  parseEntry,
  printEntry,
  type Scope,
  stamp,
  withAbsoluteDates,
} from '../memory/index.ts'
import { ReverieError } from '../store/index.ts'
import type { NewMemory } from './extractor.ts'

/** The file says that already: whoever wanted it is told, so that it does not go round in circles. */
class NothingChanged extends ReverieError {}

export interface CopiedChange {
  scope: Scope
  file: string
  name: string
  before: string | null
  after: string
}

export class MemoryCopy {
  #memory: Memory
  #listed: readonly ListedMemory[]
  #session: string
  #changes = new Map<string, CopiedChange>()

  private constructor(memory: Memory, listed: readonly ListedMemory[], session: string) {
    this.#memory = memory
    this.#listed = listed
    this.#session = session
  }

  static async of(memory: Memory, session: string): Promise<MemoryCopy> {
    return new MemoryCopy(memory, await memory.list(), session)
  }

  /** Every memory as it was when the copy was made, the most recently confirmed first. */
  get listed(): readonly ListedMemory[] {
    return this.#listed
  }

  /** The memory of a type and a name, in any scope that may be written to. */
  named({ type, name }: Pick<NewMemory, 'type' | 'name'>): { file: string; scope: Scope } | undefined {
    const key = name.trim().toLowerCase()
    const made = [...this.#changes.values()].find(
      change => change.before === null && change.name.toLowerCase() === key,
    )
    return made ?? this.#listed.find(each => each.type === type && each.name.toLowerCase() === key)
  }

  async read(file: string): Promise<string | undefined> {
    const changed = this.#changed(file)
    if (changed) return changed.after
    const scope = this.scopeOf(file)
    return scope && (await this.#memory.get(file, scope)).text
  }

  /** The project's own comes before the owner's and the team's. */
  scopeOf(file: string): Scope | undefined {
    const scopes = this.#listed.filter(each => each.file === file).map(({ scope }) => scope)
    return this.#changed(file)?.scope ?? (scopes.includes('project') ? 'project' : scopes[0])
  }

  /** Confirmed by the talk: it is as old as what was said, and its dates are meant from then. */
  async update(file: string, text: string, { at, origin }: Pick<NewMemory, 'at' | 'origin'>): Promise<void> {
    const scope = this.scopeOf(file)
    const before = this.#changed(file)?.before ?? (await this.read(file))
    if (scope === undefined || before === undefined) throw new ReverieError(`There is no ${file}.`)
    if ((await this.read(file)) === text) throw new NothingChanged(`${file} says exactly that already.`)
    const parsed = parseEntry(text)
    if (!parsed.ok) throw new ReverieError(`${file} would no longer be a memory: ${parsed.problem.detail}.`)
    const { entry } = parsed
    const [description, body] = [entry.description, entry.body].map(said => withAbsoluteDates(said, at).text)
    const after = editEntry(text, {
      ...(description !== entry.description && { description }),
      ...(body !== entry.body && { body }),
      // What others have a part in is no longer the owner's word alone.
      ...(origin !== 'owner' && entry.origin === 'owner' && { origin }),
      updated: stamp(at),
      sources: [...new Set([...entry.sources, this.#session])].slice(-SOURCES_KEPT),
    })
    this.#changes.set(file, { scope, file, name: entry.name, before, after })
  }

  create({ type, name: given, description, body, origin, at }: NewMemory): string {
    const name = withAbsoluteDates(given, at).text
    const taken = new Set([...this.#listed.map(({ file }) => file.toLowerCase()), ...this.#changes.keys()])
    const file = [...fileNamesOnce(type, name)].find(each => !taken.has(each)) ?? ''
    const after = printEntry({
      type,
      name,
      origin,
      description: withAbsoluteDates(description, at).text,
      body: withAbsoluteDates(body, at).text,
      pinned: false,
      created: stamp(at),
      updated: stamp(at),
      sources: [this.#session],
      supersedes: [],
    })
    this.#changes.set(file, { scope: 'project', file, name, before: null, after })
    return file
  }

  changes(): CopiedChange[] {
    return [...this.#changes.values()].filter(({ before, after }) => before !== after)
  }

  #changed(file: string): CopiedChange | undefined {
    return this.#changes.get(file)
  }
}

/** The most session ids that a memory names: frontmatter has 4 KB. */
const SOURCES_KEPT = 20
const NAMES_TRIED = 1_000

function* fileNamesOnce(type: NewMemory['type'], name: string): Generator<string> {
  let tried = 0
  for (const file of fileNames(type, name)) {
    if (tried++ === NAMES_TRIED) return
    yield file
  }
}
