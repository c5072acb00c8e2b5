/** What hooks leave for those that come after them: what was shown, what was said, what there is to tell. */
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Said {
  who: 'person' | 'agent'
  text: string
  at: string
}

/** Somebody who says more at once has pasted it. */
const LONGEST_SAID = 32 * 1024
/** A session rarely says so much between two answers; what is beyond it is left to dreams. */
const LARGEST_FILE_BYTES = 1024 * 1024
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const NEWS_AT_MOST = 3
/** Whoever takes what was said is ended long before. */
const LOST_AFTER_MS = 60 * 60 * 1000
const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700

/**
 * Files that are only appended to, each line whole: any number of hooks may run at once. What was said is there for the
 * owner alone, until it has been looked through.
 */
export class Trail {
  #directory: string
  #path: string
  #news: string

  constructor(home: string, agent: string, session: string) {
    this.#directory = join(home, 'connections', 'trails')
    const key = createHash('sha256').update(session).digest('hex').slice(0, 16)
    this.#path = join(this.#directory, `${agent}-${key}`)
    this.#news = join(this.#directory, `${agent}.news`)
  }

  /** The memories that this session has seen, as `scope/file`. */
  shown(): string[] {
    return linesOf(`${this.#path}.shown`).filter(line => typeof line === 'string')
  }

  show(ids: readonly string[]): void {
    this.#append(`${this.#path}.shown`, ids)
  }

  /** What was shown is gone from the conversation. */
  showAnew(): void {
    rmSync(`${this.#path}.shown`, { force: true })
  }

  say(said: Said): void {
    if (said.text.length <= LONGEST_SAID) this.#append(`${this.#path}.said`, [said])
  }

  get hasSaid(): boolean {
    return existsSync(`${this.#path}.said`)
  }

  /** Takes what was said: exactly one of several that ask at the same time gets it. `keep` puts it back. */
  takeSaid(): { said: Said[]; done(): void; keep(): void } | undefined {
    this.#takeBack()
    const taken = `${this.#path}.${randomBytes(4).toString('hex')}.taken`
    try {
      renameSync(`${this.#path}.said`, taken)
      utimesSync(taken, new Date(), new Date())
    } catch {
      return undefined // nothing was said, or somebody else has it
    }
    const said = linesOf(taken).filter(isSaid)
    return {
      said,
      done: () => rmSync(taken, { force: true }),
      keep: () => {
        this.#append(`${this.#path}.said`, said)
        rmSync(taken, { force: true })
      },
    }
  }

  /** What somebody took who was killed is there again. */
  #takeBack(): void {
    const own = `${basename(this.#path)}.`
    for (const name of existsSync(this.#directory) ? readdirSync(this.#directory) : []) {
      if (!name.startsWith(own) || !name.endsWith('.taken')) continue
      const path = join(this.#directory, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats || Date.now() - stats.mtimeMs < LOST_AFTER_MS) continue
      this.#append(`${this.#path}.said`, linesOf(path).filter(isSaid))
      rmSync(path, { force: true })
    }
  }

  /** Where it is kept how far this session has been looked through. */
  get cursorPath(): string {
    return `${this.#path}.learnt.json`
  }

  tell(text: string): void {
    this.#append(this.#news, [text])
  }

  /** What there is to tell the person, and has been told with the next call of `told`. */
  news(): string | undefined {
    const lines = linesOf(this.#news).filter(line => typeof line === 'string')
    return lines.length === 0 ? undefined : lines.slice(-NEWS_AT_MOST).join('\n')
  }

  told(): void {
    rmSync(this.#news, { force: true })
  }

  /** What went wrong where nobody could be told; the doctor says it. */
  fail(reason: string, at: Date): void {
    this.#prepare()
    const problem: Problem = { reason: reason.slice(0, 500), at: at.toISOString() }
    writeFileSync(join(this.#directory, PROBLEM), JSON.stringify(problem), { mode: PRIVATE_FILE })
  }

  /** Removes what sessions have left that nobody goes on with. */
  sweep(now: Date): void {
    if (!existsSync(this.#directory)) return
    for (const name of readdirSync(this.#directory)) {
      const path = join(this.#directory, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats && now.getTime() - stats.mtimeMs > KEPT_MS) rmSync(path, { force: true })
    }
  }

  #append(path: string, lines: readonly unknown[]): void {
    if (lines.length === 0) return
    this.#prepare()
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE_BYTES) return
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
    appendFileSync(path, text, { mode: PRIVATE_FILE })
  }

  /** Not the home: one that was removed is not made again. */
  #prepare(): void {
    for (const directory of [dirname(this.#directory), this.#directory])
      if (!existsSync(directory)) mkdirSync(directory, { mode: PRIVATE_DIRECTORY })
  }
}

const PROBLEM = 'problem.json'

export interface Problem {
  reason: string
  at: string
}

/** The last thing that went wrong in a hook. */
export function lastProblem(home: string): Problem | undefined {
  try {
    const problem = JSON.parse(readFileSync(join(home, 'connections', 'trails', PROBLEM), 'utf8')) as Problem
    return typeof problem.reason === 'string' && typeof problem.at === 'string' ? problem : undefined
  } catch {
    return undefined // there is none
  }
}

function linesOf(path: string): unknown[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return [] // nothing was left
  }
  return text.split('\n').flatMap(line => {
    try {
      return line === '' ? [] : [JSON.parse(line)]
    } catch {
      return [] // a line that the disk had no room for
    }
  })
}

function isSaid(line: unknown): line is Said {
  const said = line as Partial<Said> | null
  return (
    typeof said?.text === 'string' &&
    typeof said.at === 'string' &&
    (said.who === 'person' || said.who === 'agent')
  )
}
