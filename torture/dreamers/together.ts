import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeAt } from '../../src/config/index.ts'
import { Memory } from '../../src/memory/index.ts'

const DREAMER = fileURLToPath(new URL('dreamer.ts', import.meta.url))

export interface Outcome {
  status?: string
  gate?: string
  failed?: string
}

/** A directory with one memory, to be dreamt about by other processes. */
export async function dreamPlace(): Promise<{ directory: string; open(): Promise<Memory> }> {
  const directory = mkdtempSync(join(tmpdir(), 'reverie-dreamers-'))
  const open = () =>
    Memory.open({ home: homeAt(join(directory, 'home')), project: { root: directory, slug: 'p' } })
  using memory = await open()
  await memory.save({ type: 'project', name: 'Fact', description: 'A fact', body: 'Dreamt by nobody' })
  return { directory, open }
}

export class DreamerProcess {
  readonly child: ChildProcess
  /** It is in mid-dream. */
  readonly inside: Promise<void>
  readonly outcome: Promise<Outcome>

  constructor(directory: string, mode: 'wait' | 'go') {
    const child = spawn(process.execPath, [DREAMER, directory, mode], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.child = child
    let told = ''
    this.inside = new Promise(resolve => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text
        if (told.includes('dreaming\n')) resolve()
      })
    })
    this.outcome = new Promise((resolve, reject) =>
      child.once('close', () => {
        try {
          resolve(JSON.parse(told.trim().split('\n').at(-1) ?? '') as Outcome)
        } catch (error) {
          reject(error as Error)
        }
      }),
    )
  }

  /** Lets it wake up. */
  goOn(): void {
    this.child.stdin?.end()
  }
}

/** Starts so many at once. Returns how they ended, and whether two were ever inside. */
export async function startTogether(directory: string, count: number) {
  const all = Array.from({ length: count }, () => new DreamerProcess(directory, 'go'))
  const outcomes = await Promise.all(all.map(({ outcome }) => outcome))
  let inside = 0
  let most = 0
  for (const line of readFileSync(join(directory, 'inside.log'), 'utf8').trim().split('\n')) {
    inside += line.startsWith('in') ? 1 : -1
    most = Math.max(most, inside)
  }
  return { outcomes, most }
}
