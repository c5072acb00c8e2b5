import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brokenOrder, readTrace } from './order.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const TRACER = 'strace'
const CALLS = 'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat'
/** Enough for every kind of step of a scenario to have come up. */
const ACKNOWLEDGEMENTS = 60

export function canTrace(): boolean {
  return spawnSync(TRACER, ['-V']).status === 0
}

/**
 * Locks are advisory and gone with a power cut, caches can be made anew, a log is missed by nobody, and templates say
 * nothing until somebody writes in them: none of it need be on the disk.
 */
const NEED_NOT_LAST =
  /-lock(?:\/|$)|\/locks\/|\/dream-status\.json$|\/cache\/|\/logs\/|\/(AGENTS|SOUL|USER|TOOLS|HEARTBEAT)\.md$/

/** Lets a scenario run under strace and returns how it broke the order of writing, if it did. */
export async function traceOrder(name: string): Promise<{ calls: number; broken: string[] }> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `reverie-trace-${name}-`)))
  const [trace, directory] = [join(top, 'trace'), mkdtempSync(join(top, 'home-'))]
  const args = ['-f', '-y', '-qq', '-s', '0', '-e', `trace=${CALLS}`, '-o', trace]
  const child = spawn(TRACER, [...args, process.execPath, CHILD, name, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    const { pid } = child
    if (pid === undefined) throw new Error('strace could not be started')
    let lines = 0
    for await (const data of child.stdout) {
      lines += String(data).split('\n').length - 1
      // The group: strace, killed alone, would let the child run on.
      if (lines >= ACKNOWLEDGEMENTS) process.kill(-pid, 'SIGKILL')
    }
    const events = readTrace(readFileSync(trace, 'utf8')).filter(
      event => !('path' in event) || event.path.startsWith(directory),
    )
    const acknowledged = events.filter(event => event.call === 'acknowledge').length
    // What strace had not yet written down when it was killed is missing.
    if (acknowledged < ACKNOWLEDGEMENTS / 4) throw new Error(`${name}: the traced child ended early`)
    const broken = brokenOrder(events, path => NEED_NOT_LAST.test(path))
    return { calls: events.length, broken }
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}
