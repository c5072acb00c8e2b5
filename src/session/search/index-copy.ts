import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { SESSIONS_DATABASE, SessionIndex } from './session-index.ts'

/** The index of all sessions for whoever must leave the home as it is: a copy of it is brought up to date, and thrown away. */
export class SessionIndexCopy implements Disposable {
  readonly index: SessionIndex
  #directory: string

  constructor({ cache, projects }: Pick<Home, 'cache' | 'projects'>) {
    this.#directory = mkdtempSync(join(tmpdir(), 'reverie-index-'))
    const [from, to] = [cache, this.#directory].map(directory => join(directory, SESSIONS_DATABASE))
    // What is being written there just now may be missing, or damaged: then it is made anew.
    if (from && to && existsSync(from)) copyFileSync(from, to, constants.COPYFILE_FICLONE)
    this.index = SessionIndex.open({ cache: this.#directory, projects })
  }

  [Symbol.dispose](): void {
    this.index[Symbol.dispose]()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
