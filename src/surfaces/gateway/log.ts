/** What the gateway says: on stderr, and in a file that does not grow for ever. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { because, PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../store/index.ts'

/** When the file is this large it becomes the one before, and what was before that goes. */
const LARGEST_BYTES = 1024 * 1024
const LONGEST_LINE = 2_000
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

export interface GatewayLogOptions {
  /** Besides the file. */
  write(line: string): void
  now?: () => Date
}

export class GatewayLog {
  readonly path: string
  #options: GatewayLogOptions
  #problem = ''

  constructor(path: string, options: GatewayLogOptions) {
    this.path = path
    this.#options = options
  }

  /** One line, whatever the text holds: somebody else may have written it. */
  say(name: string, text: string): void {
    const { write, now = () => new Date() } = this.#options
    const said = stripVTControlCharacters(text).replaceAll(UNPRINTABLE, ' ').trim().slice(0, LONGEST_LINE)
    const line = `${now().toISOString()} ${name}: ${said}\n`
    write(line)
    this.#keep(line)
  }

  /** A disk that is full stops nothing; it is told once, until a line is kept again. */
  #keep(line: string): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: PRIVATE_DIRECTORY })
      if ((statSync(this.path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES)
        renameSync(this.path, `${this.path}.1`)
      appendFileSync(this.path, line, { mode: PRIVATE_FILE })
      this.#problem = ''
    } catch (error) {
      const problem = because(error)
      if (problem !== this.#problem) this.#options.write(`The log could not be kept: ${problem}.\n`)
      this.#problem = problem
    }
  }
}
