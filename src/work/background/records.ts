/** What is on the disk of background tasks, so that other processes see them: one small file each, per project. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  because,
  ensureDirectory,
  livenessOf,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  ReverieError,
  readSmallFile,
  systemCode,
  writeFileAtomic,
} from '../../store/index.ts'
import { type BackgroundTask, isFinal, lostTask, parseTask } from './task.ts'

/** Records of tasks that have ended, up to so many; those that run are never dropped. */
const ENDED_KEPT = 200
/** A helper that goes on has the id of its first run with a number. */
const TASK_ID = /^[a-z]{2}_[0-9a-f]{8}(-\d{1,3})?$/
const RECORD = '.json'
/** How long the process that runs a task may take to end it when another one asks. */
const STOP_TAKES_MS = 10_000
const LOOK_EVERY_MS = 50

export class NoSuchTask extends ReverieError {}
/** Somebody else runs it, and did not end it in time. */
class NotStopped extends ReverieError {}

export class TaskRecords {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  async write(task: BackgroundTask): Promise<void> {
    await ensureDirectory(this.directory)
    await writeFileAtomic(this.#path(task.id), `${JSON.stringify(task, null, 2)}\n`)
  }

  /** For the last moment of this process, which waits for nothing. */
  writeNow(task: BackgroundTask): void {
    mkdirSync(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY })
    const path = this.#path(task.id)
    writeFileSync(`${path}.last`, `${JSON.stringify(task, null, 2)}\n`, { mode: PRIVATE_FILE })
    renameSync(`${path}.last`, path)
  }

  /** All of them, the oldest first. A file that is none of ours is passed over. */
  async list(): Promise<BackgroundTask[]> {
    return (await this.#written()).map(task => asFound(task))
  }

  /** What a process left that is gone is lost, also where nobody could write that down yet. */
  read(id: string): BackgroundTask | undefined {
    const task = this.#read(id)
    return task && asFound(task)
  }

  /** As they stand in their files. */
  async #written(): Promise<BackgroundTask[]> {
    const ids = (await this.#names()).filter(isRecord).map(name => name.slice(0, -RECORD.length))
    return ids
      .map(id => this.#read(id))
      .filter(task => task !== undefined)
      .sort(byCreation)
  }

  /** At once: the files are small, and two hundred of them read faster so. */
  #read(id: string): BackgroundTask | undefined {
    if (!TASK_ID.test(id)) return undefined
    try {
      const text = readSmallFile(this.#path(id))
      return text === undefined ? undefined : parseTask(text)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined // dropped by another process just now
      throw error
    }
  }

  /** The one whose id begins so. */
  async find(start: string): Promise<BackgroundTask> {
    const tasks = await this.list()
    const found = tasks.filter(({ id }) => id === start || id.startsWith(start))
    const [one] = found
    if (one && (found.length === 1 || one.id === start)) return one
    throw new NoSuchTask(
      found.length > 1
        ? `"${start}" is the beginning of several: ${found.map(({ id }) => id).join(', ')}.`
        : `There is no background task "${start}" in this project; reverie bg list shows those there are.`,
    )
  }

  /** Marks as failed what ran in a process that is gone, and drops the oldest. */
  async recover(now: Date): Promise<void> {
    const tasks = (await this.#written()).map(task => ({ task, found: asFound(task, now) }))
    // Somebody else may have been faster, and its conversation may have heard of it by now.
    for (const { task, found } of tasks)
      if (found !== task && this.#read(task.id)?.status === task.status) await this.write(found)
    const live = tasks.filter(({ found }) => !isFinal(found.status))
    for (const id of await this.stopRequests())
      if (!live.some(({ found }) => found.id === id)) await this.clearStopRequest(id)
    await this.#prune(tasks.map(({ task }) => task).filter(({ status }) => isFinal(status)))
  }

  /** What a conversation has not heard of, whoever marked it; nobody gets it again. */
  async takeUntold(session: string): Promise<BackgroundTask[]> {
    const untold = (await this.list()).filter(task => task.untold && task.session === session)
    for (const { untold: _, ...task } of untold) await this.write(task)
    return untold
  }

  /** Asks the process that runs a task to end it, and waits until it has. */
  async stopElsewhere(id: string): Promise<BackgroundTask> {
    const task = await this.find(id)
    if (isFinal(task.status)) return task
    await writeFile(this.#stopPath(task.id), '', { mode: PRIVATE_FILE })
    for (const end = performance.now() + STOP_TAKES_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
      const found = this.read(task.id)
      if (!found || isFinal(found.status)) return found ?? task
    }
    throw new NotStopped(
      `Process ${task.owner.pid} was asked to stop ${task.id} and has not done so yet. Look again with: reverie bg show ${task.id}`,
    )
  }

  /** Which tasks others want stopped. */
  async stopRequests(): Promise<string[]> {
    return (await this.#names()).filter(isStopRequest).map(name => name.slice(0, -STOP.length))
  }

  async clearStopRequest(id: string): Promise<void> {
    await rm(this.#stopPath(id), { force: true })
  }

  /** Drops the oldest of those that ended, with the output that is kept here. */
  async #prune(ended: readonly BackgroundTask[]): Promise<void> {
    for (const { id } of ended.slice(0, -ENDED_KEPT)) {
      await rm(this.#path(id), { force: true })
      await rm(this.outputPath(id), { force: true })
    }
  }

  outputPath(id: string): string {
    return join(this.directory, `${id}.txt`)
  }

  #path(id: string): string {
    return join(this.directory, `${id}${RECORD}`)
  }

  #stopPath(id: string): string {
    return join(this.directory, `${id}${STOP}`)
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.directory)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw new ReverieError(`Could not list ${this.directory}: ${because(error)}.`, { cause: error })
    }
  }
}

const STOP = '.stop'

function isRecord(name: string): boolean {
  return name.endsWith(RECORD) && TASK_ID.test(name.slice(0, -RECORD.length))
}

export function isStopRequest(name: string): boolean {
  return name.endsWith(STOP) && TASK_ID.test(name.slice(0, -STOP.length))
}

function asFound(task: BackgroundTask, now = new Date()): BackgroundTask {
  return !isFinal(task.status) && livenessOf(task.owner) === 'dead' ? lostTask(task, now) : task
}

function byCreation(a: BackgroundTask, b: BackgroundTask): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1
}
