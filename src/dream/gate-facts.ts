/** What the gates are answered from: the disk, read as little as each question needs. */
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home, Project } from '../config/index.ts'
import { Sessions, sourceOfRunSession } from '../session/index.ts'
import { PRIVATE_FILE } from '../store/index.ts'
import { type DreamPlace, lastDream } from './dream-lock.ts'
import type { GateFacts } from './gates.ts'

export interface GatePlace {
  home: Home
  project: Project
  place: DreamPlace
  /** The conversation that goes on meanwhile. */
  session: string | undefined
  /** Nobody is kept from looking again soon. */
  peek: boolean
}

export function gateFacts({ home, project, place, session, peek }: GatePlace): GateFacts {
  const scan = () => join(place.state, 'dream-scan')
  const sessions = () => new Sessions(home, project)
  return {
    lastDream: () => lastDream(place),
    lastScan: () => (peek ? undefined : statSync(scan(), { throwIfNoEntry: false })?.mtime),
    noteScan() {
      if (peek) return
      try {
        writeFileSync(scan(), '', { flag: 'a', mode: PRIVATE_FILE })
        utimesSync(scan(), new Date(), new Date())
      } catch {
        // A home that is not there yet has no sessions to list either.
      }
    },
    // What began by itself is nothing to learn from.
    sessionsSince: async since =>
      (await sessions().touchedSince(since, session)).filter(id => sourceOfRunSession(id) === undefined)
        .length,
    async messagesSince(since) {
      // A fork begins with the messages of the session that it came from: each counts once.
      const said = new Set<string>()
      for (const id of await sessions().touchedSince(since))
        for await (const { id: message, origin, at, offRecord } of sessions().newestFirst(id)) {
          if (new Date(at) <= since) break
          if (origin === 'person' && !offRecord) said.add(message)
        }
      return said.size
    },
  }
}
