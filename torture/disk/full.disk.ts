import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertRule } from '../kill/scenario.ts'
import { isRoot, memoryDirectory, ownDirectory, reverie, save } from './reverie.ts'

const SIZE = 'size=2m'
const NOBODY = 65534

/** The disk fills up while memories are saved: a sentence, exit code 1, and all that was kept before is there. */
export async function trouble(): Promise<string> {
  if (!isRoot) return 'NOT TRIED: only root can mount a small disk'
  const home = ownDirectory()
  const disk = join(home, 'home')
  mkdirSync(disk)
  if (
    spawnSync('mount', ['-t', 'tmpfs', '-o', `${SIZE},mode=700,uid=${NOBODY},gid=${NOBODY}`, 'tmpfs', disk])
      .status !== 0
  ) {
    rmSync(home, { recursive: true })
    return 'NOT TRIED: no small disk can be mounted here'
  }
  try {
    return fillUp(home, disk)
  } finally {
    spawnSync('umount', [disk])
    rmSync(home, { recursive: true })
  }
}

function fillUp(home: string, disk: string): string {
  assertRule(save(home, 'First').code === 0, 'there is room for the first')
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_200_000))
  chownSync(join(disk, 'ballast'), NOBODY, NOBODY)
  let saved = 1
  let refused = save(home, 'Large 0', 'x '.repeat(60_000))
  for (; refused.code === 0 && saved < 50; saved++)
    refused = save(home, `Large ${saved}`, `${saved} `.repeat(60_000))
  assertRule(refused.code === 1, 'a full disk ends in exit code 1')
  assertRule(/disk is full|full/.test(refused.stderr), `and says so: ${refused.stderr}`)
  assertRule(!refused.stderr.includes('    at '), `in a sentence: ${refused.stderr}`)
  const kept = readdirSync(memoryDirectory(home)).filter(name => name.startsWith('user_'))
  rmSync(join(disk, 'ballast'))
  assertRule(reverie(home, 'memory', 'show', 'user_first.md').code === 0, 'what was kept is there')
  const fixed = reverie(home, 'memory', 'doctor', '--fix')
  assertRule(fixed.code === 0, `doctor is content once there is room: ${fixed.stdout}${fixed.stderr}`)
  assertRule(save(home, 'Afterwards').code === 0, 'and saving goes on')
  return `${kept.length} memories kept, then: ${refused.stderr.trim().slice(0, 120)}`
}
