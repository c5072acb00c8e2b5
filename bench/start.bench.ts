import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeMemoryFiles } from './memory-files.ts'
import { percentile, printTable, round } from './report.ts'

/** What it costs to start: whole processes, taken in turn so that noise hits all alike. */
const ROUNDS = 40
const MEMORIES = 1_000

export async function run(args: string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const bin = fileURLToPath(new URL('../bin/reverie', import.meta.url))
    writeMemoryFiles(join(home, 'memory'), MEMORIES)
    const payload = { session_id: 'bench', cwd: home, prompt: 'how should the release be deployed?' }
    const input = JSON.stringify(payload)
    const commands: Record<string, [string, ...string[]]> = {
      'node -e 0': [process.execPath, '-e', '0'],
      'reverie --version': [bin, '--version'],
      [`reverie recall, ${MEMORIES} memories`]: [bin, 'recall', 'how should the release be deployed?'],
      [`hook prompt, ${MEMORIES} memories`]: [bin, 'hook', 'claude-code', 'prompt'],
    }
    const times = timeInTurn(commands, { env: { ...process.env, REVERIE_HOME: home }, input })
    const bare = percentile(times.get('node -e 0') ?? [], 0.5)
    const rows = [...times].map(([command, all]) => {
      const median = percentile(all, 0.5)
      return { command, 'median ms': round(median, 1), 'over bare node': round(median / bare) }
    })
    if (args.includes('--json')) console.log(JSON.stringify(rows))
    else printTable(`Start, ${ROUNDS} runs each`, rows)
  } finally {
    rmSync(home, { recursive: true })
  }
}

function timeInTurn(
  commands: Record<string, [string, ...string[]]>,
  options: { env: NodeJS.ProcessEnv; input: string },
): Map<string, number[]> {
  const times = new Map(Object.keys(commands).map(name => [name, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, [file, ...args]] of Object.entries(commands)) {
      const start = performance.now()
      const { status } = spawnSync(file, args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
      if (status !== 0) throw new Error(`${name} ended with ${status}`)
      if (round > 0) times.get(name)?.push(performance.now() - start) // the first fills the caches
    }
  }
  return times
}
