import { DirectoryWatcher, ensureDirectory } from '../../store/index.ts'
import { isStopRequest, type TaskRecords } from './records.ts'

/** Where the system tells of no changes, requests are found by looking. */
const LOOK_EVERY_MS = 2_000

/** Hears what other processes want stopped, for as long as something runs here. */
export class StopRequests {
  #records: TaskRecords
  /** Stops a task of this process; false when it is none. */
  #stop: (id: string) => boolean
  #watcher: Promise<DirectoryWatcher | undefined> | undefined

  constructor(records: TaskRecords, stop: (id: string) => boolean) {
    this.#records = records
    this.#stop = stop
  }

  listen(): void {
    // Without a watcher a task can still be stopped from here; whoever asks from elsewhere is told that nobody did.
    this.#watcher ??= this.#watch().catch(() => undefined)
  }

  async close(): Promise<void> {
    const watcher = this.#watcher
    this.#watcher = undefined
    await (await watcher)?.close()
  }

  async #watch(): Promise<DirectoryWatcher> {
    const { directory } = this.#records
    await ensureDirectory(directory)
    const heed = () => void this.#heed()
    const options = { filter: isStopRequest, pollMs: LOOK_EVERY_MS }
    const watcher = await DirectoryWatcher.start(directory, heed, options)
    heed()
    return watcher
  }

  async #heed(): Promise<void> {
    const ids = await this.#records.stopRequests().catch(() => []) // looked for again with the next change
    for (const id of ids) if (this.#stop(id)) await this.#records.clearStopRequest(id)
  }
}
