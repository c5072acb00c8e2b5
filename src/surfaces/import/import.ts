import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expandTilde, type Home, type Project, prepareHome } from '../../config/index.ts'
import { because, ReverieError, systemCode, withLock } from '../../store/index.ts'
import { AGENTS, type ImportAgent } from './agents.ts'
import { type DeskOptions, Desks } from './desks.ts'
import { Ledgers } from './ledgers.ts'
import { Places } from './places.ts'
import { type ImportReport, Reporting } from './report.ts'
import type { Source, SourceSession } from './source.ts'
import { importHistory } from './write-history.ts'
import { importMemory, type MemoryTarget } from './write-memory.ts'
import { importOwnFile } from './write-own-file.ts'
import { importSession, ledgerId } from './write-session.ts'

export interface ImportOptions extends Partial<Pick<DeskOptions, 'memoryDirectory' | 'dryRun' | 'now'>> {
  agent: ImportAgent
  /** Where the other program's files are; its usual place unless told. */
  from?: string | undefined
  home: Home
  /** The project that what belongs to none goes to. */
  project: Project
  /** Everything goes to that project. */
  isChosen?: boolean
  env?: NodeJS.ProcessEnv
  onProgress?: (done: number, total: number | undefined) => void
}

export class NoSuchSource extends ReverieError {}

/** Takes over what another program has written down. What was imported before is not imported again. */
export async function importFrom(options: ImportOptions): Promise<ImportReport> {
  const { agent, home, env = process.env, now = () => new Date(), dryRun = false } = options
  const { name, usualPlace, open } = AGENTS[agent]
  const given = options.from ?? usualPlace(env)
  if (given === undefined)
    throw new NoSuchSource(
      `${name} keeps nothing on this machine. Give the directory of an export: --from DIR.`,
    )
  const path = resolve(expandTilde(given))
  const source = await opened(path, name, () => open(path, now))
  try {
    const work = async () => new Import(source, { ...options, now, dryRun }, await Ledgers.open(home)).run()
    if (dryRun || isEmpty(source)) return await work()
    await prepareHome(home)
    return await withLock(join(home.path, 'locks', 'import'), work, { note: 'an import' })
  } finally {
    await source.close?.()
  }
}

async function opened(path: string, name: string, open: () => Promise<Source>): Promise<Source> {
  if (!existsSync(path))
    throw new NoSuchSource(`There is nothing of ${name} in ${path}. Say where it is: --from PATH.`)
  try {
    return await open()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new NoSuchSource(`Could not read ${path}: ${because(error)}. Say where it is: --from PATH.`, {
      cause: error,
    })
  }
}

function isEmpty({ sessions, memories, history, ownFiles }: Source): boolean {
  return 'length' in sessions && [sessions, memories, history, ownFiles].every(list => list.length === 0)
}

type RunOptions = ImportOptions & Pick<DeskOptions, 'dryRun' | 'now'>
type Directory = SourceSession['directory']

/** What belongs to no directory. */
const nowhere: Directory = () => Promise.resolve(undefined)

/** One import. */
class Import {
  #source: Source
  #options: RunOptions
  #ledgers: Ledgers
  #places: Places
  #reporting = new Reporting()
  #directories: Promise<ReadonlySet<string>> | undefined

  constructor(source: Source, options: RunOptions, ledgers: Ledgers) {
    this.#source = source
    this.#options = options
    this.#ledgers = ledgers
    this.#places = new Places({ current: options.project, isChosen: options.isChosen ?? false })
  }

  async run(): Promise<ImportReport> {
    const { path, sessions, memories, ownFiles, history, unreadable, leftOut } = this.#source
    const total = 'length' in sessions ? sessions.length : undefined
    let done = 0
    for await (const session of sessions) {
      await this.#session(session)
      this.#options.onProgress?.(++done, total)
    }
    await using desks = new Desks(this.#options, this.#ledgers)
    const { home } = this.#options
    for (const memory of memories)
      await this.#at(desks, memory, memory.directory, desk => importMemory(memory, desk, this.#reporting))
    for (const file of ownFiles)
      await this.#at(desks, file, nowhere, desk => importOwnFile(file, home, desk, this.#reporting))
    const [first] = history
    if (first) await this.#at(desks, first, nowhere, desk => importHistory(history, desk, this.#reporting))
    for (const { file, reason } of unreadable) this.#reporting.cannotRead(file, reason)
    for (const { what, count } of leftOut) this.#reporting.leaveOut(what, count)
    return this.#reporting.toReport(path, this.#options.dryRun)
  }

  async #session(session: SourceSession): Promise<void> {
    const { agent, home, dryRun, now } = this.#options
    const project = await this.#placeOf(ledgerId(session), session.directory)
    const ledger = await this.#ledgers.of(project.slug)
    try {
      await importSession(session, { agent, home, project, ledger, dryRun, now }, this.#reporting)
    } catch (error) {
      // One session that cannot be read, or is open elsewhere, does not keep the others back.
      if (!(error instanceof ReverieError) && systemCode(error) === undefined) throw error
      if (cannotWriteAnything(error)) throw error
      this.#reporting.cannotRead(session.file, because(error))
    }
  }

  /** Works on the memory of the project that something belongs to. */
  async #at(
    desks: Desks,
    { id, file }: { id: string; file: string },
    directory: Directory,
    work: (desk: MemoryTarget) => Promise<void>,
  ): Promise<void> {
    try {
      await work(await desks.of(await this.#placeOf(id, directory)))
    } catch (error) {
      if (!(error instanceof ReverieError) || cannotWriteAnything(error)) throw error
      this.#reporting.cannotRead(file, error.message)
    }
  }

  /** Where something is already; else where it belongs. */
  async #placeOf(id: string, directory: Directory): Promise<{ slug: string; root?: string }> {
    const { agent, project, isChosen } = this.#options
    const slug = isChosen ? project.slug : this.#ledgers.whereIs(agent, id)
    if (slug !== undefined) return slug === project.slug ? project : { slug }
    const about = await directory()
    this.#directories ??= this.#allDirectories()
    const { isElsewhere, ...place } = this.#places.of(about, await this.#directories)
    if (isElsewhere)
      this.#reporting.note(`${about} is not on this machine: what is about it goes to ${place.root}.`)
    return place
  }

  async #allDirectories(): Promise<ReadonlySet<string>> {
    const { sessions, memories } = this.#source
    const directories = new Set<string>()
    for (const { directory } of [...('length' in sessions ? sessions : []), ...memories]) {
      const about = await directory()
      if (about !== undefined) directories.add(about)
    }
    return directories
  }
}

function cannotWriteAnything(error: unknown): boolean {
  const cause = error instanceof ReverieError ? error.cause : error
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCode(cause) ?? '')
}
