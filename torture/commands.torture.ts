/**
 * Commands that somebody regrets, with the limits that hold for everybody: one prints a gigabyte, one starts children
 * that heed no SIGTERM, one waits for a password. Memory stays bounded, all of it is ended, and it is told.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bashTools, Shells } from '../src/tools/index.ts'
import { BackgroundTasks } from '../src/work/index.ts'
import { assertRule } from './kill/scenario.ts'

const MB = 1024 * 1024
/** What a gigabyte may add to what this process needs anyway. */
const MOST_GROWTH = 128 * MB
const SAMPLE_MS = 50

export async function run(): Promise<void> {
  const tell = (text: string) => process.stdout.write(`commands: ${text}\n`)
  await call('echo warm')
  for (const [what, command] of Object.entries(GIGABYTES)) tell(await printsMuch(what, command))
  tell(await ignoresTerm(20))
  for (const command of PASSWORDS) tell(await waitsForPassword(command))
}

const GIGABYTES = {
  'one line of a gigabyte': 'head -c 1000000000 /dev/zero | tr "\\0" x',
  'a gigabyte of lines': 'yes "all work and no play" | head -c 1000000000',
  'a gigabyte of noise': 'head -c 1000000000 /dev/urandom',
}

async function printsMuch(what: string, command: string): Promise<string> {
  global.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, SAMPLE_MS)
  const { text, ms, fileBytes } = await call(command)
  clearInterval(sampling)
  assertRule(text.length <= 30_000, 'the model is given no more than it may be')
  assertRule(/printed more than|too much|ended/i.test(text), `that it was ended is told: ${text.slice(-300)}`)
  assertRule(most - before < MOST_GROWTH, `memory grew by ${toMb(most - before)}`)
  return `${what}: ended after ${seconds(ms)}, ${toMb(fileBytes)} kept in a file, memory +${toMb(most - before)}`
}

async function ignoresTerm(children: number): Promise<string> {
  const stubborn = `trap '' TERM; while :; do sleep 1; done`
  const script = `for i in $(seq ${children}); do (${stubborn}) & (setsid bash -c "${stubborn}" &) ; done; wait`
  const { text, ms, left } = await call(script, { timeoutMs: 1_000 })
  assertRule(left.length === 0, `nothing is left: ${left.join(', ')}`)
  assertRule(/SIGKILL|killed/i.test(text), `that they had to be killed is told: ${text.slice(-300)}`)
  return `${children * 2} children that heed no SIGTERM, half in sessions of their own: none left after ${seconds(ms)}`
}

const PASSWORDS = [
  'printf "Password: "; exec sleep 600',
  // With a terminal of its own, where a program really reads.
  `tail -f /dev/null | script -qc 'read -s -p "[sudo] password for me: " x' /dev/null`,
]

async function waitsForPassword(command: string): Promise<string> {
  if (command.includes('script ') && !existsSync('/usr/bin/script')) return 'script is not installed'
  const { text, ms, left } = await call(command)
  assertRule(left.length === 0, 'nothing is left')
  assertRule(/password/i.test(text) && /key, a token/.test(text), `it is noticed: ${text.slice(-300)}`)
  return `waits for a password ${command.includes('script ') ? 'at a terminal of its own' : 'without a terminal'}: noticed and ended after ${seconds(ms)}`
}

/** One command, as an agent runs it, and what is left of it. */
async function call(command: string, more: object = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-commands-')))
  const trace = `trace-${Date.now()}-${process.pid}`
  const outputs = join(root, '.outputs')
  const shells = new Shells(new BackgroundTasks({ directory: join(root, '.background') }))
  const environment = { ...process.env, TEST_TRACE: trace }
  const [bash] = bashTools({ workspace: { root, directory: root, outputs }, shells, environment })
  const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
  const begun = performance.now()
  const said = await bash?.run({ command, background: false, ...more }, context)
  const ms = performance.now() - begun
  const kept = existsSync(outputs) ? readdirSync(outputs) : []
  const fileBytes = kept.reduce((sum, name) => sum + statSync(join(outputs, name)).size, 0)
  await shells.close()
  rmSync(root, { recursive: true, force: true })
  return { text: said?.text ?? '', ms, fileBytes, left: runningWith(trace) }
}

function runningWith(trace: string): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return '' // gone, or somebody else's
    }
  }
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.filter(pid => read(`/proc/${pid}/environ`).includes(trace))
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const toMb = (bytes: number) => `${Math.round(bytes / MB)} MB`
