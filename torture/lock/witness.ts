import { appendFileSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface Verdict {
  /** How many times somebody held the lock, and how many of these ended by a kill. */
  sections: number
  cutShort: number
  violations: string[]
}

/**
 * Proof, by means that have nothing to do with the lock, that one process at a time is inside: a marker
 * that cannot be made twice (a symbolic link to the owner's pid, so that it appears whole), and a record
 * of who came and went. A marker may be found on the way in only if its owner is dead.
 */
export class Witness {
  #marker: string
  #record: string

  constructor(directory: string) {
    this.#marker = join(directory, 'marker')
    this.#record = join(directory, 'record')
  }

  enter(fence: number): void {
    if (!this.#mark()) {
      const other = readlinkSync(this.#marker)
      if (isRunning(Number(other)))
        appendFileSync(this.#record, `violation: ${process.pid} with fence ${fence} met ${other} inside\n`)
      unlinkSync(this.#marker)
      this.#mark()
    }
    appendFileSync(this.#record, `enter ${process.pid} ${fence}\n`)
  }

  leave(fence: number): void {
    appendFileSync(this.#record, `leave ${process.pid} ${fence}\n`)
    unlinkSync(this.#marker)
  }

  verdict(): Verdict {
    return judge(readFileSync(this.#record, 'utf8').trimEnd().split('\n'))
  }

  #mark(): boolean {
    try {
      symlinkSync(String(process.pid), this.#marker)
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    }
  }
}

export function judge(record: readonly string[]): Verdict {
  const verdict: Verdict = { sections: 0, cutShort: 0, violations: [] }
  const dead = new Set<string>()
  let lastFence = 0
  let inside: { pid: string; fence: string } | undefined
  for (const line of record) {
    const [what, pid = '', fence = ''] = line.split(' ')
    if (what === 'violation:') verdict.violations.push(line)
    if (dead.has(pid)) verdict.violations.push(`${line}: that process was taken for dead`)
    if (what === 'enter') {
      verdict.sections++
      if (Number(fence) <= lastFence) verdict.violations.push(`${line}: the fence before was ${lastFence}`)
      lastFence = Number(fence)
      if (inside) {
        verdict.cutShort++
        dead.add(inside.pid)
      }
      inside = { pid, fence }
    }
    if (what === 'leave') {
      if (inside?.pid !== pid || inside.fence !== fence)
        verdict.violations.push(`${line}: inside was ${inside?.pid ?? 'nobody'}`)
      inside = undefined
    }
  }
  return verdict
}

/** Not by livenessOf, which is under test here. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
