import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { writeMemoryFiles } from './memory-files.ts'
import { percentile, printTable, round } from './report.ts'

/** How long another agent waits for a hook: when all is well, and when nothing is. */
const ROUNDS = 15
const BIN = fileURLToPath(new URL('../bin/reverie', import.meta.url))
const ENDLESS = 'x'.repeat(64 * 1024)

interface Case {
  home: string
  event?: string
  /** A payload, or input that never ends. */
  input?: string | undefined
}

export async function run(args: string[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const homes = { small: 1_000, large: 10_000, locked: 1_000 }
    for (const [name, count] of Object.entries(homes)) {
      mkdirSync(join(root, name))
      writeMemoryFiles(join(root, name, 'memory'), count)
    }
    const at = (name: string) => join(root, name)
    // The first prompt after ten thousand memories came: there is no index yet.
    const first = await hook({ home: at('large') })
    await recall(at('large'))
    await recall(at('locked'))
    using _ = locked(at('locked'))
    const rows = [
      ...(await inTurn({
        'node -e 0': () => once(process.execPath, ['-e', '0'], {}, ''),
        'prompt, 1,000 memories': () => hook({ home: at('small') }),
        'prompt, 10,000 memories': () => hook({ home: at('large') }),
        'no home': () => hook({ home: at('gone') }),
        'input that is no payload': () => hook({ home: at('small'), input: '{"session' }),
        'input that never ends': () => hook({ home: at('small'), input: undefined }),
        'an index that is locked': () => hook({ home: at('locked') }),
      })),
      {
        what: 'the first prompt, 10,000 memories, no index',
        'median ms': round(first, 1),
        'slowest ms': round(first, 1),
      },
    ]
    if (args.includes('--json')) console.log(JSON.stringify(rows))
    else printTable(`Hooks, ${ROUNDS} runs each; all ended with 0`, rows)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  }
}

/** Makes the index, or waits until what the hook began beside it has made it. */
async function recall(home: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const env = { ...process.env, REVERIE_HOME: home }
  spawn(BIN, ['recall', 'anything'], { env, cwd: tmpdir(), stdio: 'ignore' }).once('exit', () => resolve())
  await promise
}

function locked(home: string): Disposable {
  const cache = join(home, 'cache')
  const names = readdirSync(cache).filter(file => /\.sqlite(?:\.guard)?$/.test(file))
  const databases = names.map(name => new DatabaseSync(join(cache, name)))
  for (const database of databases) database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return {
    [Symbol.dispose]() {
      for (const database of databases) database.close()
    },
  }
}

/** In turn, so that noise hits all alike. */
async function inTurn(cases: Record<string, () => Promise<number>>) {
  const times = new Map(Object.keys(cases).map(what => [what, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const [what, work] of Object.entries(cases)) {
      const ms = await work()
      if (round > 0) times.get(what)?.push(ms) // the first fills the caches
    }
  const bare = percentile(times.get('node -e 0') ?? [], 0.5)
  return [...times].map(([what, all]) => {
    const median = percentile(all, 0.5)
    const slowest = round(Math.max(...all), 1)
    return {
      what,
      'median ms': round(median, 1),
      'slowest ms': slowest,
      'over bare node': round(median / bare),
    }
  })
}

function hook({ home, event = 'prompt', ...more }: Case): Promise<number> {
  const payload = { session_id: 'bench', cwd: tmpdir(), prompt: 'how should the release be deployed?' }
  const input = 'input' in more ? more.input : JSON.stringify(payload)
  return once(BIN, ['hook', 'claude-code', event], { REVERIE_HOME: home }, input)
}

function once(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  input: string | undefined,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const start = performance.now()
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.on('error', () => {})
  const feed = (): void => {
    while (child.stdin.writable && child.stdin.write(ENDLESS)) {}
  }
  if (input === undefined) {
    child.stdin.on('drain', feed)
    feed()
  } else child.stdin.end(input)
  child.once('exit', code => {
    child.stdin.destroy()
    if (code === 0) resolve(performance.now() - start)
    else reject(new Error(`${args.join(' ')} ended with ${code}`))
  })
  return promise
}
