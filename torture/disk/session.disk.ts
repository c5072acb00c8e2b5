import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertRule } from '../kill/scenario.ts'
import { isRoot, ownDirectory, reverie } from './reverie.ts'

const SIZE = 'size=3m'
const NOBODY = 65534

/** The disk fills up in a conversation: a sentence, exit code 1, and what was said before is there and goes on. */
export async function trouble(): Promise<string> {
  if (!isRoot) return 'NOT TRIED: only root can mount a small disk'
  const home = ownDirectory()
  const disk = join(home, 'home')
  mkdirSync(disk)
  const options = `${SIZE},mode=700,uid=${NOBODY},gid=${NOBODY}`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status !== 0) {
    rmSync(home, { recursive: true })
    return 'NOT TRIED: no small disk can be mounted here'
  }
  try {
    return talkUntilFull(home, disk)
  } finally {
    spawnSync('umount', [disk])
    rmSync(home, { recursive: true })
  }
}

function talkUntilFull(home: string, disk: string): string {
  const say = (text: string) => reverie(home, 'sessions', 'resume', '-m', text)
  assertRule(reverie(home, '-m', 'The first words.').code === 0, 'there is room for the first message')
  const ballast = join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc(2_300_000))
  chownSync(ballast, NOBODY, NOBODY)
  let said = 0
  let refused = say(message(said))
  while (refused.code === 0 && said < 40) refused = say(message(++said))
  assertRule(refused.code === 1, 'a full disk ends in exit code 1')
  assertRule(/disk is full/.test(refused.stderr), `and says so: ${refused.stderr.slice(0, 300)}`)
  assertRule(!refused.stderr.includes('    at '), `in a sentence: ${refused.stderr.slice(0, 300)}`)
  rmSync(ballast)
  const shown = reverie(
    home,
    'sessions',
    'show',
    reverie(home, 'sessions', 'list', '--json').stdout.match(/2\d{7}-\d{6}-\w+/)?.[0] ?? '',
  )
  assertRule(shown.stdout.includes('The first words.'), `what was said is there: ${shown.stderr}`)
  for (let number = 0; number < said; number++)
    assertRule(shown.stdout.includes(`message ${number} x`), `message ${number} is there`)
  assertRule(say('afterwards').code === 0, 'and the conversation goes on once there is room')
  return `${readOnlySession(home)}; full after ${said} messages: ${refused.stderr.trim().slice(0, 120)}`
}

function message(number: number): string {
  return `message ${number} ${'x'.repeat(120_000)}`
}

function readOnlySession(home: string): string {
  const id = reverie(home, 'sessions', 'list', '--json').stdout.match(/2\d{7}-\d{6}-\w+/)?.[0] ?? ''
  const sessions = join(home, 'home', 'projects')
  const path = spawnSync('find', [sessions, '-name', `${id}.jsonl`], { encoding: 'utf8' }).stdout.trim()
  chmodSync(path, 0o400)
  const refused = reverie(home, 'sessions', 'resume', '-m', 'more')
  assertRule(
    refused.code === 1 && /permission was denied/.test(refused.stderr),
    `said why: ${refused.stderr}`,
  )
  assertRule(reverie(home, 'sessions', 'show', id).code === 0, 'a session that cannot be written is shown')
  chmodSync(path, 0o000)
  const listed = reverie(home, 'sessions', 'list')
  assertRule(
    listed.code === 0 && /permission was denied/.test(listed.stdout),
    `listed with why: ${listed.stdout}`,
  )
  chmodSync(path, 0o600)
  return 'a session that cannot be written or read is told as such'
}
