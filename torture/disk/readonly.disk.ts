import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertRule } from '../kill/scenario.ts'
import { memoryDirectory, ownDirectory, reverie, save } from './reverie.ts'

/** A home that cannot be written is still read; saving says why it cannot. */
export async function trouble(): Promise<string> {
  const home = ownDirectory()
  assertRule(save(home, 'Zebra').code === 0, 'it is saved while that is possible')
  const locked = [
    memoryDirectory(home),
    join(home, 'home', 'cache'),
    join(home, 'home', '.journal'),
    join(home, 'home'),
  ]
  for (const path of locked) chmodSync(path, 0o555)
  const recalled = reverie(home, 'recall', 'zebra', '--json')
  assertRule(
    recalled.code === 0 && recalled.stdout.includes('user_zebra.md'),
    `it is recalled: ${recalled.stderr}`,
  )
  assertRule(reverie(home, 'memory', 'list').code === 0, 'it is listed')
  assertRule(reverie(home, 'memory', 'doctor').code === 0, 'doctor looks at it')
  const refused = save(home, 'Other')
  assertRule(
    refused.code === 1 && /permission was denied/.test(refused.stderr),
    `saving says why not: ${refused.stderr}`,
  )
  assertRule(!refused.stderr.includes('    at '), `in a sentence: ${refused.stderr}`)
  for (const path of locked.toReversed()) chmodSync(path, 0o700)
  assertRule(save(home, 'Other').code === 0, 'and works again afterwards')
  rmSync(home, { recursive: true })
  return `read all the same; saving: ${refused.stderr.trim().slice(0, 120)}`
}
