import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '../random.ts'
import { type Verdict, Witness } from './witness.ts'

export interface RaceOptions {
  processes: number
  /** Races per process. */
  races: number
  seed: number
}

export interface RaceResult extends Verdict {
  /** How often the holder's time ended in which way. */
  endings: Map<string, number>
  pauses: number
  outsideKills: number
  ms: number
}

const RACER = fileURLToPath(new URL('racer.ts', import.meta.url))
/** How often the referee stops, or kills, one of them at an instant of its own choosing. */
const INTERFERE_EVERY_MS = 50
const LONGEST_PAUSE_MS = 20
const OUTSIDE_KILL_SHARE = 0.03

/** Lets processes race for one lock, stopping and killing some of them, until each has had all its races. */
export async function race(options: RaceOptions): Promise<RaceResult> {
  const directory = mkdtempSync(join(tmpdir(), 'reverie-lock-torture-'))
  const started = performance.now()
  const result = { endings: new Map<string, number>(), pauses: 0, outsideKills: 0 }
  const random = randomFrom(options.seed)
  const running = new Set<number>()
  const interfere = setInterval(() => {
    const pid = [...running][Math.floor(random() * running.size)]
    if (pid === undefined) return
    if (random() < OUTSIDE_KILL_SHARE) {
      result.outsideKills++
      process.kill(pid, 'SIGKILL')
      return
    }
    result.pauses++
    process.kill(pid, 'SIGSTOP')
    setTimeout(() => running.has(pid) && process.kill(pid, 'SIGCONT'), random() * LONGEST_PAUSE_MS)
  }, INTERFERE_EVERY_MS)

  const runRacer = async (number: number) => {
    let done = 0
    for (let life = 0; done < options.races; life++) {
      const seed = options.seed * 1_000_003 + number * 1_009 + life
      const args = [RACER, directory, String(options.races - done), String(seed)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const { pid } = child
      if (pid === undefined) throw new Error('a racer could not be started')
      running.add(pid)
      // Before the pid can be given to another process.
      child.once('exit', () => running.delete(pid))
      const closed = new Promise<[number | null, string | null]>(resolve =>
        child.once('close', (code, signal) => resolve([code, signal])),
      )
      for await (const ending of createInterface({ input: child.stdout })) {
        done++
        result.endings.set(ending, (result.endings.get(ending) ?? 0) + 1)
      }
      const [code, signal] = await closed
      if (code !== 0 && signal !== 'SIGKILL') throw new Error(`racer ${number} ended with ${code ?? signal}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: options.processes }, (_, number) => runRacer(number)))
    return { ...result, ...new Witness(directory).verdict(), ms: performance.now() - started }
  } finally {
    clearInterval(interfere)
    for (const pid of running) process.kill(pid, 'SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
}
