/** Lines of a file, from 1 on; `to` is the last one. */
export interface LineRange {
  from: number
  to: number
}

/** What an agent knows of a file. */
export interface Seen {
  /** Of all its bytes, or what stands for it where they are too many. */
  hash: string
  mtimeMs: number
  /** Every line of it was shown, or it was written by this agent. Lines that were cut count: that was said. */
  whole: boolean
  /** What of exactly this content was shown. */
  ranges: readonly LineRange[]
}

/**
 * What an agent has read in one conversation, by real path: nothing that it has not read is overwritten, and what it
 * has is not shown again. Nothing here has to last: without it, files are read once more.
 */
export class SeenFiles {
  readonly #files: Map<string, Seen>

  /** What another one knows is known here from the beginning, and nothing of what it learns from then on. */
  constructor(from?: SeenFiles) {
    this.#files = new Map(from === undefined ? [] : from.#files)
  }

  get(path: string): Seen | undefined {
    return this.#files.get(path)
  }

  /** Every path, the one that was read or written last at the end. */
  paths(): string[] {
    return [...this.#files.keys()]
  }

  read(
    path: string,
    { hash, mtimeMs }: Pick<Seen, 'hash' | 'mtimeMs'>,
    range: LineRange,
    lines: number,
  ): void {
    const before = this.#files.get(path)
    const same = before?.hash === hash ? before : undefined
    const ranges = [...(same?.ranges ?? []), range]
    const whole = same?.whole === true || covers(ranges, lines)
    this.#put(path, { hash, mtimeMs, whole, ranges })
  }

  wasShown(path: string, hash: string, { from, to }: LineRange): boolean {
    const seen = this.#files.get(path)
    return seen?.hash === hash && seen.ranges.some(range => range.from === from && range.to === to)
  }

  /** This agent wrote it: from beginning to end (`whole`), or a part of what had the hash `over` before. */
  wrote(path: string, hash: string, { whole = false, over }: { whole?: boolean; over?: string } = {}): void {
    const before = this.#files.get(path)
    const knew = before !== undefined && before.hash === over && before.whole
    this.#put(path, { hash, mtimeMs: Date.now(), whole: whole || knew, ranges: [] })
  }

  forget(path: string): void {
    this.#files.delete(path)
  }

  /** For when what was shown has left the conversation: everything is shown again, and may still be changed. */
  forgetShown(path?: string): void {
    for (const [at, seen] of this.#files)
      if (path === undefined || at === path) this.#files.set(at, { ...seen, ranges: [] })
  }

  #put(path: string, seen: Seen): void {
    this.#files.delete(path)
    this.#files.set(path, seen)
  }
}

function covers(ranges: readonly LineRange[], lines: number): boolean {
  let next = 1
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from > next) return false
    next = Math.max(next, to + 1)
  }
  return next > lines
}
