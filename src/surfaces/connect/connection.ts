/** What is known, in the home, of the agents that memory was put into: what to take out again, and what was there before. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import { because, ensureDirectory, ReverieError, readIfThere, writeFileAtomic } from '../../store/index.ts'
import type { Made } from './text/pieces.ts'

export interface ConnectedFile {
  path: string
  /** Where its content from before is kept; null when there was no file. */
  backup: string | null
  /** Hash of what we wrote. */
  written: string
  made: Made
}

export interface Connection {
  agent: string
  at: string
  files: ConnectedFile[]
}

class UnreadableConnection extends ReverieError {}

export class Connections {
  #home: Home
  readonly directory: string

  constructor(home: Home) {
    this.#home = home
    this.directory = join(home.path, 'connections')
  }

  async read(agent: string): Promise<Connection | undefined> {
    const path = this.#path(agent)
    const text = (await readIfThere(path))?.toString('utf8')
    if (text === undefined) return undefined
    try {
      const connection = JSON.parse(text) as Connection
      if (Array.isArray(connection.files)) return connection
    } catch (error) {
      throw new UnreadableConnection(`${path} is not valid JSON: ${because(error)}. Move it aside.`, {
        cause: error,
      })
    }
    throw new UnreadableConnection(`${path} is not a record of a connection. Move it aside.`)
  }

  async write(connection: Connection): Promise<void> {
    await prepareHome(this.#home)
    await ensureDirectory(this.directory)
    await writeFileAtomic(this.#path(connection.agent), `${JSON.stringify(connection, null, 2)}\n`)
    this.#sweep(connection.agent, connection.files)
  }

  /** Keeps the content of a file, for its owner alone: settings hold keys. */
  async keep(agent: string, content: Uint8Array): Promise<string> {
    await prepareHome(this.#home)
    await ensureDirectory(this.directory)
    const name = `${agent}-${randomBytes(6).toString('hex')}.before`
    await writeFileAtomic(join(this.directory, name), content)
    return name
  }

  kept(backup: string): Promise<Buffer> {
    return readFile(join(this.directory, backup))
  }

  /** Nothing stays of a connection that is undone. */
  forget(agent: string): void {
    rmSync(this.#path(agent), { force: true })
    this.#sweep(agent, [])
  }

  #sweep(agent: string, files: readonly ConnectedFile[]): void {
    if (!existsSync(this.directory)) return
    const needed = new Set(files.map(({ backup }) => backup))
    for (const name of readdirSync(this.directory))
      if (name.startsWith(`${agent}-`) && name.endsWith('.before') && !needed.has(name))
        rmSync(join(this.directory, name), { force: true })
  }

  #path(agent: string): string {
    return join(this.directory, `${agent}.json`)
  }
}
