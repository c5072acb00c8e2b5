import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Which process this is, precisely enough that a later one with the same pid is told apart. */
export interface ProcessIdentity {
  pid: number
  /** When the process started, in the platform's own notation; empty where that cannot be found out. */
  startTime: string
  /** Changes with every boot of the machine; empty where that cannot be found out. */
  bootId: string
  /** The machine and, in a container, its own numbering of processes. */
  host: string
}

export type Liveness = 'alive' | 'dead' | 'unknown'

let own: ProcessIdentity | undefined

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? '',
    bootId: bootId(),
    host: `${hostname()}${processNamespace()}`,
  }
  return own
}

/** Whether the process that `identity` names still runs. A pid on another machine cannot be judged. */
export function livenessOf(identity: ProcessIdentity, here: ProcessIdentity = ownIdentity()): Liveness {
  if (identity.host !== here.host) return 'unknown'
  if (identity.bootId !== here.bootId) return 'dead'
  if (!pidExists(identity.pid)) return 'dead'
  const startTime = startTimeOf(identity.pid)
  if (startTime === undefined) return 'dead'
  return identity.startTime === '' || startTime === '' || startTime === identity.startTime ? 'alive' : 'dead'
}

function pidExists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Undefined when the process is gone or only waits to be reaped; empty when it cannot be found out. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStartTime(pid)
  if (process.platform === 'win32') return ''
  try {
    // Language and time zone of the asker must not change the answer.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    const answer = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env })
    return answer.trim() || undefined
  } catch {
    // No such process, or no ps to ask: a running process must never count as gone.
    return pidExists(pid) ? '' : undefined
  }
}

function linuxStartTime(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Another user's process is hidden where /proc is mounted with hidepid, but it runs.
    return pidExists(pid) ? '' : undefined
  }
  // The second field is the command's name in brackets and may hold spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (state === 'Z' || state === 'X') return undefined
  return fields[19] ?? ''
}

function bootId(): string {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // Not kern.boottime, which moves when the clock is set.
    if (process.platform === 'darwin')
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
  } catch {
    // Without it a reboot is noticed by the start time or the heartbeat.
  }
  return ''
}

function processNamespace(): string {
  try {
    return process.platform === 'linux' ? ` ${readlinkSync('/proc/self/ns/pid')}` : ''
  } catch {
    return ''
  }
}
