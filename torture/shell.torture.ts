/**
 * Every way that is known to write through a shell that only reads, or to leave the project: none is allowed by the
 * judge, none does anything in the shell that cannot write. What is allowed is run for real, and the disk compared.
 */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { assertRule } from './kill/scenario.ts'
import { randomFrom } from './random.ts'
import { harmless, hostileCommands } from './shell/corpus.ts'
import { checkFile, judgeFile, judgeShell, permissionsIn, runForReal } from './shell/judged.ts'
import { mixed, safePieces } from './shell/mix.ts'
import { withOptions } from './shell/options.ts'
import { ABSOLUTE_PATHS, HOSTILE_PATHS, READABLE } from './shell/paths.ts'
import {
  fingerprint,
  makeScratch,
  OUTSIDE_CANARY,
  protectedFingerprint,
  type Scratch,
  SECRET_CANARY,
} from './shell/scratch.ts'
import { tryToWrite, tryToWriteWatched } from './shell/write-proof.ts'

const MIXES = 20_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string' }, seed: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const count = Number(values.count ?? MIXES)
  const tell = (text: string) => process.stdout.write(`shell: ${text}\n`)
  tell(await watchesForReal())
  tell(await judgeCorpus())
  tell(await judgePaths())
  tell(await judgeMixes(count, seed))
  tell(await judgeOptions(count, seed))
  tell(await withScratch(async scratch => raceChecks(scratch)))
  tell(await writeProof(count / 20, seed))
  tell(watched(seed))
}

async function withScratch<T>(use: (scratch: Scratch) => Promise<T>): Promise<T> {
  const scratch = makeScratch()
  try {
    return await use(scratch)
  } finally {
    scratch.remove()
  }
}

/** Harm, and whether it is seen when it is really done: what follows means nothing if it is not. */
const HARM: ReadonlyArray<readonly [mode: 'ask' | 'auto', command: string]> = [
  ['ask', 'echo x > src/a.ts'],
  ['ask', 'cat ../outside/secret.txt'],
  ['ask', 'cat .env'],
  ['auto', 'cat src/link-secret.txt'],
  ['auto', 'echo x > ../outside/owned'],
  ['auto', 'echo x > src/dangling.txt'],
  ['auto', 'echo x >> ~/.bashrc'],
  ['auto', 'echo x > .env'],
  ['auto', 'echo x > .git/hooks/pre-commit'],
  ['auto', './evil.sh'],
  ['auto', 'cd bare && git status'],
]

export async function watchesForReal(): Promise<string> {
  for (const [mode, command] of HARM) {
    const seen = await withScratch(scratch => runWatched(scratch, command, mode)).then(
      () => false,
      () => true,
    )
    assertRule(seen, `it is seen when harm is done: ${command}`)
  }
  return `${HARM.length} kinds of harm done on purpose, all seen`
}

/** No mode allows what leaves the project; only `auto` what changes it; every one what is harmless. */
export async function judgeCorpus(): Promise<string> {
  return withScratch(async scratch => {
    const hostile = hostileCommands(scratch)
    let changing = 0
    for (const mode of ['ask', 'plan', 'acceptEdits', 'deny', 'auto'] as const) {
      const permissions = permissionsIn(scratch, mode)
      for (const { command, leaves } of hostile) {
        const { decision } = await judgeShell(permissions, command)
        const may = mode === 'auto' && !leaves
        assertRule(may || decision !== 'allow', `${mode} does not allow ${JSON.stringify(command)}`)
        if (decision !== 'allow') continue
        changing++
        await runWatched(scratch, command, 'auto')
      }
    }
    const asking = permissionsIn(scratch, 'ask')
    const pristine = makeScratch()
    for (const command of harmless) {
      const { decision, reason } = await judgeShell(permissionsIn(pristine, 'ask'), command)
      assertRule(decision === 'allow', `nobody is asked about ${JSON.stringify(command)}: ${reason}`)
      await runWatched(pristine, command, asking.policy.mode)
    }
    pristine.remove()
    return `${hostile.length} hostile commands in 5 modes, none allowed but ${changing} by auto, which were run and changed nothing but plain files of the project; ${harmless.length} harmless ones allowed and run`
  })
}

/** Runs a command that was allowed, and looks at what it did. `auto` may change what is not special in the project. */
async function runWatched(scratch: Scratch, command: string, mode: string): Promise<void> {
  const { project, outside, home } = scratch
  const look = () =>
    mode === 'auto'
      ? [fingerprint(outside), fingerprint(home), protectedFingerprint(project)].join()
      : fingerprint(scratch.root)
  const before = look()
  const said = runForReal(scratch, command)
  const told = `${mode}: ${JSON.stringify(command)}`
  assertRule(look() === before, `nothing is changed by what was allowed: ${told}`)
  assertRule(!said.includes(OUTSIDE_CANARY), `nothing outside is read by what was allowed: ${told}`)
  assertRule(!said.includes(SECRET_CANARY), `no secret is read by what was allowed: ${told}`)
}

export async function judgePaths(): Promise<string> {
  return withScratch(async scratch => {
    const fill = (path: string) => path.replaceAll('@OUT', scratch.outside).replaceAll('@HOME', scratch.home)
    const paths = [...HOSTILE_PATHS.map(path => `${scratch.project}/${path}`), ...ABSOLUTE_PATHS.map(fill)]
    const readable = new Set([...READABLE].map(path => `${scratch.project}/${path}`))
    for (const mode of ['ask', 'plan', 'acceptEdits', 'deny', 'auto'] as const) {
      const permissions = permissionsIn(scratch, mode)
      for (const path of paths) {
        const writing = await judgeFile(permissions, 'write', path)
        assertRule(writing.decision !== 'allow', `${mode} does not let ${JSON.stringify(path)} be written`)
        if (readable.has(path)) continue
        const reading = await judgeFile(permissions, 'read', path)
        assertRule(reading.decision !== 'allow', `${mode} does not let ${JSON.stringify(path)} be read`)
      }
    }
    return `${paths.length} hostile paths in 5 modes, none allowed`
  })
}

/** Random commands: those that a mode allows are run, and must have done no more than the mode is for. */
export async function judgeMixes(count: number, seed: number): Promise<string> {
  const random = randomFrom(seed)
  let scratch = makeScratch()
  const pieces = () => safePieces(hostileCommands(scratch).map(({ command }) => command))
  let hostile = pieces()
  let state = fingerprint(scratch.root)
  const allowed = { ask: 0, auto: 0 }
  try {
    for (let number = 0; number < count; number++) {
      const command = mixed(random, hostile, harmless)
      for (const mode of ['ask', 'auto'] as const) {
        const { decision } = await judgeShell(permissionsIn(scratch, mode), command)
        if (decision !== 'allow') continue
        allowed[mode]++
        try {
          await runWatched(scratch, command, mode)
        } catch (error) {
          throw new Error(`mix ${number}, seed ${seed}`, { cause: error })
        }
        break // what `ask` allows, `auto` does too
      }
      if (fingerprint(scratch.root) === state) continue
      scratch.remove()
      scratch = makeScratch()
      hostile = pieces()
      state = fingerprint(scratch.root)
    }
  } finally {
    scratch.remove()
  }
  return `${count} random commands, seed ${seed}: ${allowed.ask} allowed as only reading and ${allowed.auto} more by auto, all run, none did harm`
}

/** Programs that are known to only read, with any options: what is allowed is run, changes nothing and tells no secret. */
export async function judgeOptions(count: number, seed: number): Promise<string> {
  return withScratch(async scratch => {
    const random = randomFrom(seed)
    const permissions = permissionsIn(scratch, 'ask')
    let allowed = 0
    for (let number = 0; number < count; number++) {
      const command = withOptions(random)
      const { decision } = await judgeShell(permissions, command)
      if (decision !== 'allow') continue
      allowed++
      await runWatched(scratch, command, 'ask')
    }
    return `${count} readers with random options, seed ${seed}: ${allowed} allowed and run, none changed anything or told a secret`
  })
}

/** Between the check and the use somebody puts a link where the file was: whoever looks again sees it. */
export async function raceChecks(scratch: Scratch): Promise<string> {
  const { project, outside } = scratch
  const permissions = permissionsIn(scratch, 'auto')
  const places = ['src/fresh.txt', 'race/file.txt', 'race/deep/er/file.txt']
  for (const name of places) {
    const path = join(project, name)
    fs.mkdirSync(dirname(path), { recursive: true })
    const isUnchanged = await checkFile(permissions, 'write', path)
    assertRule(await isUnchanged(), `a file of the project may be written: ${name}`)
    if (dirname(name) === 'src') fs.symlinkSync(join(outside, 'victim.txt'), path)
    else {
      fs.rmSync(join(project, 'race'), { recursive: true })
      fs.symlinkSync(outside, join(project, 'race'))
    }
    assertRule(!(await isUnchanged()), `the change is seen: ${name}`)
    const again = await judgeFile(permissions, 'write', path)
    assertRule(again.decision !== 'allow', `and no longer allowed: ${name}`)
    fs.rmSync(dirname(name) === 'src' ? path : join(project, 'race'))
  }
  return `${places.length} files swapped between check and use, all seen`
}

export async function writeProof(count: number, seed: number): Promise<string> {
  return withScratch(async scratch => {
    const random = randomFrom(seed)
    const known = hostileCommands(scratch).map(({ command }) => command)
    const mixes = Array.from({ length: Math.floor(count) }, () => mixed(random, known, harmless))
    await tryToWrite(scratch, [...known, ...mixes])
    return `${known.length} hostile and ${mixes.length} random commands in the write-proof shell: disk unchanged, nothing outside read, no process`
  })
}

function watched(seed: number): string {
  const scratch = makeScratch()
  try {
    const random = randomFrom(seed)
    const known = hostileCommands(scratch).map(({ command }) => command)
    const mixes = Array.from({ length: 200 }, () => mixed(random, known, harmless))
    return (
      tryToWriteWatched(scratch, [...known, ...mixes]) ??
      'NOT WATCHED: strace is not there or may not be used'
    )
  } finally {
    scratch.remove()
    fs.rmSync(`${scratch.root}.strace`, { force: true })
  }
}
