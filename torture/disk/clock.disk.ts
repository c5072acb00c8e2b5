import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { assertRule } from '../kill/scenario.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** The clock goes back a year, and files lie in the future: ages do not become negative, nothing blocks, nothing is lost. */
export async function trouble(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-clock-'))
  let now = new Date()
  using memory = await openMemory({ home: join(root, 'home'), project: root, now: () => now })
  const draft = { type: 'user', description: 'd', body: 'b' } as const
  const { file } = await memory.save({ ...draft, name: 'Today' })
  now = new Date(now.getTime() - YEAR_MS)
  await memory.save({ ...draft, name: 'Last year' })
  const future = new Date(Date.now() + YEAR_MS)
  for (const name of readdirSync(memory.place())) utimesSync(join(memory.place(), name), future, future)
  const lock = join(memory.place(), '.reverie-lock')
  for (const name of readdirSync(lock)) utimesSync(join(lock, name), future, future)
  await memory.save({ ...draft, name: 'Afterwards' })
  const ages = (await memory.list()).map(({ ageDays }) => ageDays)
  assertRule(ages.length === 3 && ages.every(age => age >= 0), `ages are not negative: ${ages}`)
  await memory.forget(file)
  await memory.restore(file)
  assertRule((await memory.doctor()).ok, 'doctor is content')
  assertRule((await memory.history(file)).length === 3, 'history is whole')
  rmSync(root, { recursive: true })
  return `three memories, ages ${ages.join(', ')} days`
}
