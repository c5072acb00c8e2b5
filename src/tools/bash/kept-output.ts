import { type FileHandle, open } from 'node:fs/promises'
import { because, PRIVATE_FILE } from '../../store/index.ts'
import { SHOWN_CHARACTERS } from './limits.ts'
import { OutputWindow } from './output-window.ts'

/** What a command prints: in a file up to a limit, its beginning and end at hand. */
export class KeptOutput {
  readonly path: string
  readonly window = new OutputWindow(SHOWN_CHARACTERS / 2)
  /** Why the file does not hold what it should, if it does not: the disk may be full. */
  problem: string | undefined
  #file: FileHandle
  #limit: number

  static async open(path: string, limit: number): Promise<KeptOutput> {
    return new KeptOutput(path, await open(path, 'wx', PRIVATE_FILE), limit)
  }

  private constructor(path: string, file: FileHandle, limit: number) {
    this.path = path
    this.#file = file
    this.#limit = limit
  }

  /** Keeps as much of it as fits; returns whether all did. */
  async add(chunk: Buffer): Promise<boolean> {
    const fitting = chunk.subarray(0, this.#limit - this.window.bytes)
    if (fitting.length > 0) {
      this.window.add(fitting)
      await this.#write(fitting)
    }
    return fitting.length === chunk.length
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.problem !== undefined) return
    try {
      await this.#file.appendFile(bytes)
    } catch (error) {
      this.problem = because(error)
    }
  }
}
