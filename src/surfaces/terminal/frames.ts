/** How often what changes is drawn, at most. */
const FRAME_MS = 33
/** A frame is followed by a pause of so many times what it took. */
const PAUSE_FACTOR = 4
/** How often it is drawn while time itself is shown: when something is waited for, and when it only goes on beside. */
const PACE_MS = { fast: 120, slow: 1_000 }

export interface FramesOptions {
  draw(): void
  /** Whether time itself is shown now; while it is not, nothing is drawn that did not change. */
  pace(): keyof typeof PACE_MS | undefined
}

/** When to draw: soon after something has changed, and never so often that drawing keeps the program from its work. */
export class Frames {
  #options: FramesOptions
  #next: NodeJS.Timeout | undefined
  #tick: NodeJS.Timeout | undefined
  #ended = 0
  #took = 0
  #isOver = false

  constructor(options: FramesOptions) {
    this.#options = options
  }

  /** Something has changed. */
  request(): void {
    if (this.#next !== undefined || this.#isOver) return
    const pause = Math.max(FRAME_MS, this.#took * PAUSE_FACTOR)
    this.#next = setTimeout(() => this.drawNow(), Math.max(0, this.#ended + pause - performance.now()))
  }

  /** A key was pressed: whoever types sees it at once. */
  drawNow(): void {
    if (this.#isOver) return
    clearTimeout(this.#next)
    clearTimeout(this.#tick)
    this.#next = undefined
    const begun = performance.now()
    this.#options.draw()
    this.#ended = performance.now()
    this.#took = this.#ended - begun
    const pace = this.#options.pace()
    if (pace) this.#tick = setTimeout(() => this.drawNow(), PACE_MS[pace])
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#next)
    clearTimeout(this.#tick)
  }
}
