/** What the threads that build the index share: whose turn it is, and whether to go on. */

const NEXT_FILE = 0
const WRITING = 1
const STOPPED = 2
const NUMBERS = 3

/**
 * How long a thread waits for another that writes before it tries all the same. The lock of the database decides;
 * this one only spares waiting for that, which is done by sleeping.
 */
const LONGEST_WAIT_MS = 1_000

export class WorkerControl {
  readonly shared: SharedArrayBuffer
  #numbers: Int32Array

  constructor(shared = new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#numbers = new Int32Array(shared)
  }

  /** Every number once, from 0 on, whichever thread asks. */
  takeNext(): number {
    return Atomics.add(this.#numbers, NEXT_FILE, 1)
  }

  stop(): void {
    Atomics.store(this.#numbers, STOPPED, 1)
  }

  get isStopped(): boolean {
    return Atomics.load(this.#numbers, STOPPED) === 1
  }

  /** Runs `work` while no other thread does; it blocks, and is for workers only. */
  inTurn<T>(work: () => T): T {
    while (Atomics.compareExchange(this.#numbers, WRITING, 0, 1) !== 0)
      if (Atomics.wait(this.#numbers, WRITING, 1, LONGEST_WAIT_MS) === 'timed-out') break
    try {
      return work()
    } finally {
      Atomics.store(this.#numbers, WRITING, 0)
      Atomics.notify(this.#numbers, WRITING, 1)
    }
  }
}
