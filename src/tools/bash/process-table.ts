import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { systemCode } from '../../store/index.ts'
import { COMMAND_MARK } from './environment.ts'

export interface ProcessRow {
  pid: number
  parent: number
  group: number
  session: number
  /** Tells a process from a later one with the same pid; empty where that cannot be found out. */
  startTime: string
}

/** The processes that run now. Those that only wait to be reaped are not among them. */
export function runningProcesses(): ProcessRow[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

function fromProc(): ProcessRow[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => rowOf(Number(pid))).filter(row => row !== undefined)
}

/** One row of the table on Linux, or undefined when that process is gone. */
function rowOf(pid: number): ProcessRow | undefined {
  try {
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined // it ended between the listing and the reading
  }
}

export function parseStat(pid: number, stat: string): ProcessRow | undefined {
  // The second field is the command's name in brackets and may hold spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  if (state === undefined || state === 'Z' || state === 'X') return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: fields[19] ?? '',
  }
}

function fromPs(): ProcessRow[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' })
  return table
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([pid, , , state]) => pid !== '' && !state?.startsWith('Z'))
    .map(([pid, parent, group]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      startTime: '',
    }))
}

/** Whether it is still that process, and runs. */
export function stillRuns({ pid, startTime }: ProcessRow): boolean {
  if (process.platform === 'linux') return rowOf(pid)?.startTime === startTime
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** Whether a process has a command's mark in the environment that it was started with. Only Linux tells. */
export function carriesMark(pid: number, mark: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    const value = environment.find(entry => entry.startsWith(`${COMMAND_MARK}=`))
    return (
      value
        ?.slice(COMMAND_MARK.length + 1)
        .split(':')
        .includes(mark) ?? false
    )
  } catch {
    return false // gone, or somebody else's
  }
}

/** The processes of a session, and of the group that its leader made. */
export function inSession(rows: readonly ProcessRow[], leader: number): ProcessRow[] {
  return rows.filter(({ group, session }) => group === leader || session === leader)
}

/** All that a command started: its session, whoever carries its mark, and their descendants. */
export function startedBy(
  rows: readonly ProcessRow[],
  leader: number,
  isMarked: (pid: number) => boolean,
): ProcessRow[] {
  const found = new Map<number, ProcessRow>()
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const add = (row: ProcessRow): void => {
    if (found.has(row.pid)) return
    found.set(row.pid, row)
    children.get(row.pid)?.forEach(add)
  }
  inSession(rows, leader).forEach(add)
  for (const row of rows) if (!found.has(row.pid) && isMarked(row.pid)) add(row)
  return [...found.values()]
}
