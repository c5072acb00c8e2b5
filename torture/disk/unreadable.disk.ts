import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertRule } from '../kill/scenario.ts'
import { memoryDirectory, ownDirectory, reverie, save } from './reverie.ts'

/** A memory that may not be read is reported; the others are as they were, and it is never overwritten. */
export async function trouble(): Promise<string> {
  const home = ownDirectory()
  save(home, 'Zebra')
  save(home, 'Yak')
  const file = join(memoryDirectory(home), 'user_yak.md')
  chmodSync(file, 0o000)
  const listed = reverie(home, 'memory', 'list', '--json')
  assertRule(JSON.parse(listed.stdout).length === 1, `the other is listed: ${listed.stderr}`)
  const doctor = reverie(home, 'memory', 'doctor', '--json')
  const { problems } = JSON.parse(doctor.stdout)
  assertRule(doctor.code === 1 && problems[0]?.kind === 'unreadable', `doctor reports it: ${doctor.stdout}`)
  assertRule(save(home, 'Yak', 'another').code === 0, 'a memory of that name gets a file of its own')
  chmodSync(file, 0o600)
  const shown = reverie(home, 'memory', 'show', 'user_yak.md')
  assertRule(shown.stdout.includes('\nb\n'), 'the unreadable one was not overwritten')
  rmSync(home, { recursive: true })
  return `reported: ${problems[0].detail}`
}
