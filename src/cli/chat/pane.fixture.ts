import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { BIN } from '../reverie.fixture.ts'

const run = promisify(execFile)

/** Never reached by a test that passes: what appears is waited for, not a time. */
const FAR_OFF = { timeout: 30_000 }

export const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('NO TMUX: the tests of the terminal are left out. Install it (Debian: tmux).')

export interface PaneOptions {
  home: string
  columns?: number
  rows?: number
  env?: Record<string, string>
  args?: readonly string[]
}

/** Reverie in a real terminal, which tmux is: it draws what is written, and types. */
export class Pane {
  #socket: string

  private constructor(socket: string) {
    this.#socket = socket
  }

  /** When Reverie has ended, its exit code is shown, and whether the terminal takes lines again. */
  static async open({ home, columns = 80, rows = 24, env = {}, args = [] }: PaneOptions): Promise<Pane> {
    const pane = new Pane(join(temporaryDirectory(), 'tmux'))
    const own = { HOME: home, REVERIE_HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', ...env }
    const variables = Object.entries(own).map(([name, value]) => `${name}='${value}'`)
    const command = `env -i TERM="$TERM" ${variables.join(' ')} ${[BIN, ...args].join(' ')}`
    const after = 'echo "ended with $?"; stty -a | grep -ow -- "-\\?icanon"; cat'
    const size = ['-x', String(columns), '-y', String(rows)]
    await pane.#tmux('-f', '/dev/null', 'new-session', '-d', '-c', home, ...size, `${command}; ${after}`)
    await pane.#tmux('set-option', '-g', 'remain-on-exit', 'on')
    onTestFinished(async () => {
      await pane.#tmux('kill-server').catch(() => {}) // it has gone where its only window closed
    })
    return pane
  }

  /** Text as it is; keys by tmux' names for them. */
  async types(...keys: string[]): Promise<void> {
    for (const key of keys)
      await (/^(?:[CMS]-.+|Enter|Escape|Tab|BSpace|Up|Down)$/.test(key)
        ? this.#tmux('send-keys', key)
        : this.#tmux('send-keys', '-l', key))
  }

  async pastes(text: string): Promise<void> {
    const file = join(temporaryDirectory(), 'paste')
    writeFileSync(file, text)
    await this.#tmux('load-buffer', file)
    await this.#tmux('paste-buffer', '-p', '-r')
  }

  async resizes(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** What is on the screen; with `styled` the sequences that draw it. */
  async screen({ styled = false } = {}): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', ...(styled ? ['-e'] : []))).trimEnd()
  }

  /** The same with what has scrolled away. */
  async everything(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', '-S', '-')).trimEnd()
  }

  async sees(what: RegExp): Promise<void> {
    await expect.poll(() => this.screen(), FAR_OFF).toMatch(what)
  }

  async seesNoMore(what: RegExp): Promise<void> {
    await expect.poll(() => this.screen(), FAR_OFF).not.toMatch(what)
  }

  /** Sends a signal to Reverie. */
  async signals(name: string): Promise<void> {
    const shell = (await this.#tmux('list-panes', '-F', '#{pane_pid}')).trim()
    await run('pkill', [`-${name}`, '-P', shell])
  }

  async #tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-u', '-S', this.#socket, ...args])
    return stdout
  }
}
