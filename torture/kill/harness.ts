import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '../random.ts'
import { loadScenario, type Scenario } from './scenario.ts'

export interface KillOptions {
  kills: number
  seed: number
}

export interface KillResult {
  kills: number
  acknowledged: number
  ms: number
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
/** The kill comes at random within this time after the first acknowledgement; some come before it. */
const LONGEST_LIFE_MS = 120
const EARLY_SHARE = 0.1
const LONGEST_START_MS = 200
/** What one directory has been through before a new one is begun, so that checks stay short. */
const KILLS_PER_DIRECTORY = 25

/** Starts a scenario's child, kills it at a random instant, checks, and again; throws at a broken rule. */
export async function killAtRandom(name: string, options: KillOptions): Promise<KillResult> {
  const scenario = await loadScenario(name)
  const random = randomFrom(options.seed)
  const started = performance.now()
  let acknowledged = 0
  for (let kills = 0; kills < options.kills; ) {
    const directory = mkdtempSync(join(tmpdir(), `reverie-kill-${name}-`))
    const records: string[] = []
    const here = Math.min(KILLS_PER_DIRECTORY, options.kills - kills)
    for (let kill = 1; kill <= here; kill++) {
      records.push(...(await oneLife(scenario, directory, random)))
      try {
        await scenario.check(directory, records, kill)
      } catch (error) {
        throw new Error(`${name}, kill ${kills + kill}, seed ${options.seed}, kept in ${directory}`, {
          cause: error,
        })
      }
    }
    kills += here
    acknowledged += records.length
    rmSync(directory, { recursive: true, force: true })
  }
  return { kills: options.kills, acknowledged, ms: performance.now() - started }
}

/** What the child acknowledged before it was killed. */
async function oneLife(
  { name, longestLifeMs = LONGEST_LIFE_MS }: Scenario,
  directory: string,
  random: () => number,
): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, name, directory], { stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  let complaints = ''
  const first = new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      resolve()
    })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const closed = new Promise<string | null>(resolve =>
    child.once('close', (_code, signal) => resolve(signal)),
  )
  if (random() < EARLY_SHARE) await Promise.race([sleep(random() * LONGEST_START_MS), closed])
  else await Promise.race([first.then(() => sleep(random() * longestLifeMs)), closed])
  child.kill('SIGKILL')
  if ((await closed) !== 'SIGKILL') throw new Error(`${name}: the child ended by itself: ${complaints}`)
  // A line that was cut short was not said.
  return told.split('\n').slice(0, -1)
}
