/** What others can know of a gateway: whether it runs, which process it is, and how its parts are. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import {
  because,
  inspectLock,
  livenessOf,
  type ProcessIdentity,
  ReverieError,
  readSmallFile,
  SILENT_AFTER_MS,
  systemCode,
  writeFileAtomic,
} from '../../store/index.ts'

export interface PartState {
  name: string
  status: 'starting' | 'running' | 'failed' | 'stopped'
  /** What the part says of itself: an address, a number of jobs. */
  note?: string
  /** Why it could not be started. */
  error?: string
}

export interface GatewayState {
  owner: ProcessIdentity
  startedAt: string
  /** Root of the project that it was started in. */
  project: string
  parts: PartState[]
}

export interface GatewayStatus extends Partial<Omit<GatewayState, 'owner'>> {
  running: boolean
  pid?: number
  log: string
}

const GATEWAY_STALENESS = { silentAfterMs: SILENT_AFTER_MS }

export interface GatewayPlaces {
  /** Held by the one that runs. */
  lock: string
  /** Its number alone, for other programs. */
  pid: string
  state: string
  log: string
}

export function gatewayPlaces({ path }: Home): GatewayPlaces {
  return {
    lock: join(path, 'locks', 'gateway'),
    pid: join(path, 'gateway.pid'),
    state: join(path, 'gateway.json'),
    log: join(path, 'logs', 'gateway.log'),
  }
}

export async function writeState({ pid, state }: GatewayPlaces, content: GatewayState): Promise<void> {
  await writeFileAtomic(state, `${JSON.stringify(content, null, 2)}\n`)
  await writeFileAtomic(pid, `${content.owner.pid}\n`)
}

export function removeState({ pid, state }: GatewayPlaces): void {
  for (const path of [pid, state]) rmSync(path, { force: true })
}

/** The lock says whether one runs; its file says the rest. */
export async function gatewayStatus(home: Home): Promise<GatewayStatus> {
  const places = gatewayPlaces(home)
  const { held, claim } = await inspectLock(places.lock, GATEWAY_STALENESS)
  if (!held || !claim) return { running: false, log: places.log }
  const state = readState(places)
  const { owner: _, ...about } = state?.owner.pid === claim.pid ? state : { owner: undefined }
  return { running: true, pid: claim.pid, ...about, log: places.log }
}

function readState({ state }: GatewayPlaces): GatewayState | undefined {
  try {
    const found = JSON.parse(readSmallFile(state) ?? 'null') as GatewayState | null
    return typeof found?.owner?.pid === 'number' && Array.isArray(found.parts) ? found : undefined
  } catch {
    return undefined // it is written anew with the next change
  }
}

/** How long a gateway is given: it ends everything within 5 seconds (5-work.md). */
const STOP_TAKES_MS = 10_000
const LOOK_EVERY_MS = 50

/** Asks the gateway to end, and waits until it has. Undefined when none runs. */
export async function stopGateway(home: Home): Promise<number | undefined> {
  const { lock } = gatewayPlaces(home)
  const { held, claim } = await inspectLock(lock, GATEWAY_STALENESS)
  if (!held || !claim) return undefined
  if (livenessOf(claim) === 'unknown')
    throw new ReverieError(`The gateway of this home runs on another machine (${claim.host}); stop it there.`)
  try {
    process.kill(claim.pid, 'SIGTERM')
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return claim.pid // it ended just now
    throw new ReverieError(
      `The gateway (process ${claim.pid}) could not be asked to end: ${because(error)}.`,
      {
        cause: error,
      },
    )
  }
  for (let waited = 0; waited < STOP_TAKES_MS; waited += LOOK_EVERY_MS) {
    const now = await inspectLock(lock, GATEWAY_STALENESS)
    if (!now.held || now.claim?.token !== claim.token) return claim.pid
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new ReverieError(
    `The gateway (process ${claim.pid}) was asked to end and is still there. kill -9 ${claim.pid} ends it; what it ran is then marked at the next start.`,
  )
}
