import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { findSecrets, secretMessage } from '../../memory/index.ts'
import { ChangedMeanwhile, Journal, readIfThere, writeFileAtomic } from '../../store/index.ts'
import type { Reporting } from './report.ts'
import type { SourceOwnFile } from './source.ts'
import { importMemory, type MemoryTarget } from './write-memory.ts'

/** What each of them is, as a memory. */
const AS_MEMORY = {
  'SOUL.md': { type: 'feedback', description: 'The voice and the character that it had there' },
  'USER.md': { type: 'user', description: 'What was known there about you' },
} as const

/** Takes over SOUL.md or USER.md where the home has none of its own; else what it says becomes a memory. */
export async function importOwnFile(
  source: SourceOwnFile,
  home: Home,
  target: MemoryTarget,
  reporting: Reporting,
): Promise<void> {
  const { agent, ledger, dryRun, now } = target
  const path = join(home.path, source.name)
  const isNew = ledger.state(agent, source.id, source.text) === 'new'
  const here = await readIfThere(path)
  const isSame = here?.toString('utf8') === source.text
  const secrets = await findSecrets(source.text)
  if (secrets.length > 0) {
    reporting.cannotRead(source.file, secretMessage(secrets))
    return
  }
  if (isNew && (here === undefined || isSame)) {
    const isOurs = isSame || dryRun || (await writeOwnFile(path, source, home, now()))
    if (isOurs) {
      if (!dryRun) await ledger.record(agent, source.id, source.text, null, now())
      reporting.memories[isSame ? 'unchanged' : 'added']++
      if (!isSame) reporting.note(`${source.file} ${dryRun ? 'would become' : 'became'} ${path}.`)
      return
    }
  }
  if (existsSync(path) && isNew)
    reporting.note(`${path} was there already; ${source.file} is kept as a memory.`)
  const { type, description } = AS_MEMORY[source.name]
  const name = `${source.name.replace('.md', '')} of ${agent}`
  const draft = { type, description, name, body: source.text, scope: 'user' } as const
  await importMemory({ ...source, draft }, target, reporting)
}

/** False when somebody made one in the meantime. */
async function writeOwnFile(path: string, source: SourceOwnFile, home: Home, at: Date): Promise<boolean> {
  try {
    await writeFileAtomic(path, source.text, { root: home.path, expected: null })
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false
    throw error
  }
  await new Journal({ home: home.path }).commit({
    message: `Import ${source.name}`,
    kind: 'import',
    by: 'Owner',
    at,
    changes: [{ path: source.name, before: null, after: Buffer.from(source.text) }],
  })
  return true
}
