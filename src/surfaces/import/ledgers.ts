import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { ImportLedger } from '../../memory/index.ts'
import { systemCode } from '../../store/index.ts'

/** What was imported before, into whichever project. */
export class Ledgers {
  #home: Home
  #bySlug: Map<string, ImportLedger>

  private constructor(home: Home, bySlug: Map<string, ImportLedger>) {
    this.#home = home
    this.#bySlug = bySlug
  }

  static async open(home: Home): Promise<Ledgers> {
    const bySlug = new Map<string, ImportLedger>()
    for (const slug of (await namesIn(home.projects)).toSorted())
      if (existsSync(join(home.projects, slug, 'imports.jsonl')))
        bySlug.set(slug, await ImportLedger.open(join(home.projects, slug)))
    return new Ledgers(home, bySlug)
  }

  async of(slug: string): Promise<ImportLedger> {
    const ledger = this.#bySlug.get(slug) ?? (await ImportLedger.open(join(this.#home.projects, slug)))
    this.#bySlug.set(slug, ledger)
    return ledger
  }

  /** The project that something went to. */
  whereIs(agent: string, id: string): string | undefined {
    for (const [slug, ledger] of this.#bySlug) if (ledger.memoryOf(agent, id) !== undefined) return slug
    return undefined
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
