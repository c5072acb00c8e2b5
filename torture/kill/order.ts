import { basename, dirname } from 'node:path'

/** A kill leaves the page cache, so what a power cut would leave is asserted by the order of the calls. */
export type FileEvent =
  | { call: 'write' | 'sync' | 'unlink'; path: string }
  | { call: 'rename'; from: string; to: string }
  /** Told the caller that it is done. */
  | { call: 'acknowledge' }

/** Where a reference to other files is written: what it refers to must be on the disk before. */
const REFERENCE = /\/refs\/heads\/[^/.]+$/

/**
 * The rules: a file is synced between its last write and its rename; the directory is synced after the
 * rename, before a reference to the file is written and before anybody is told. Returns what broke them.
 */
export function brokenOrder(events: readonly FileEvent[], ignore: (path: string) => boolean): string[] {
  const broken: string[] = []
  const unsynced = new Set<string>()
  /** Final path to its directory, until that is synced. */
  const unsettled = new Set<string>()
  for (const event of events) {
    if (event.call === 'write' && !ignore(event.path)) unsynced.add(event.path)
    if (event.call === 'unlink') unsynced.delete(event.path)
    if (event.call === 'sync') {
      unsynced.delete(event.path)
      for (const path of unsettled) if (dirname(path) === event.path) unsettled.delete(path)
    }
    if (event.call === 'rename' && !ignore(event.to)) {
      if (unsynced.delete(event.from)) broken.push(`${basename(event.to)} was renamed before it was synced`)
      if (REFERENCE.test(event.to))
        for (const path of unsettled) broken.push(`${path} was referred to before its directory was synced`)
      unsettled.add(event.to)
    }
    if (event.call === 'acknowledge') {
      for (const path of unsynced) broken.push(`${path} was acknowledged before it was synced`)
      for (const path of unsettled) broken.push(`${path} was acknowledged before its directory was synced`)
    }
  }
  return [...new Set(broken)]
}

const CALL = /^\d+ +(\w+)\((.*)\) += +(\d+)/
const UNFINISHED = /^(\d+) +(.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/

/** Reads what `strace -f -y` wrote down. Calls count when they returned; failed ones do not. */
export function readTrace(trace: string): FileEvent[] {
  const begun = new Map<string, string>()
  const events: FileEvent[] = []
  for (const line of trace.split('\n')) {
    const unfinished = UNFINISHED.exec(line)
    if (unfinished) {
      begun.set(unfinished[1] ?? '', unfinished[2] ?? '')
      continue
    }
    const resumed = RESUMED.exec(line)
    const whole = resumed ? `${resumed[1]} ${begun.get(resumed[1] ?? '')}${resumed[2]}` : line
    const event = toEvent(CALL.exec(whole))
    if (event) events.push(event)
  }
  return events
}

function toEvent(match: RegExpExecArray | null): FileEvent | undefined {
  const [, name = '', args = ''] = match ?? []
  const [descriptor = '', path = ''] = /^(\d+)<(.*?)>/.exec(args)?.slice(1) ?? []
  const names = [...args.matchAll(/"([^"]*)"/g)].map(found => found[1] ?? '')
  if (name.startsWith('rename')) return { call: 'rename', from: names[0] ?? '', to: names[1] ?? '' }
  if (name.startsWith('unlink')) return { call: 'unlink', path: names[0] ?? '' }
  if (name === 'fsync' || name === 'fdatasync') return { call: 'sync', path }
  if (!/^p?write/.test(name)) return undefined
  return descriptor === '1' ? { call: 'acknowledge' } : { call: 'write', path }
}
