import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homeAt, projectSlug } from '../../config/index.ts'
import { type FakeProvider, type Line, startFakeProvider } from '../../models/wire.fixture.ts'
import { Sessions, textOf } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { BIN, reverieBeside } from '../reverie.fixture.ts'

const [CTRL_C, CTRL_D] = ['\u0003', '\u0004']
const SLOW: Line = { text: 'word '.repeat(500), fault: { trickle: 50 } }

/** `script` of util-linux gives a program a terminal; others of that name take other flags. */
const hasTerminal = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')

/** A person at a terminal that cannot be drawn on. */
class Person {
  shown = ''
  readonly home: string
  #child: ChildProcess
  #ended: Promise<number | null>

  constructor(home: string, ...args: string[]) {
    this.home = home
    const command = [BIN, ...args].join(' ')
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, REVERIE_HOME: home, TERM: 'dumb' },
    })
    this.#child.stdout?.on('data', data => {
      this.shown += data
    })
    this.#ended = new Promise(resolve => this.#child.once('close', resolve))
    onTestFinished(() => void this.#child.kill())
  }

  types(text: string): void {
    this.#child.stdin?.write(text)
  }

  async sees(what: RegExp): Promise<void> {
    await expect.poll(() => this.shown, { timeout: 15_000 }).toMatch(what)
  }

  /** The exit code. */
  async leaves(): Promise<number | null> {
    const code = await this.#ended
    expect(this.shown).not.toMatch(/ERR_|node:internal/)
    return code
  }

  async said(): Promise<string[]> {
    const sessions = new Sessions(homeAt(this.home), { slug: projectSlug(this.home) })
    const [id = ''] = await sessions.ids()
    const messages = await Array.fromAsync(sessions.messages(id))
    return messages.filter(({ origin }) => origin === 'person').map(textOf)
  }
}

async function provided(...lines: Line[]): Promise<{ provider: FakeProvider; home: string }> {
  const provider = await startFakeProvider(...lines)
  onTestFinished(() => provider.close())
  const home = temporaryDirectory()
  const config = { providers: provider.settings('custom'), model: 'custom/model-x' }
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  return { provider, home }
}

test.skipIf(!hasTerminal)(
  'Ctrl-D in the middle of an answer ends the conversation, and keeps what was said',
  async () => {
    const { home } = await provided(SLOW)
    const person = new Person(home)
    await person.sees(/Ctrl-D ends/)
    person.types('go\r')
    await person.sees(/word word/)
    person.types('and this\r')
    await person.sees(/and this/)
    person.types(CTRL_D)
    expect(await person.leaves()).toBe(0)
    expect(await person.said()).toEqual(['go', 'and this'])
  },
)

test.skipIf(!hasTerminal)(
  'Ctrl-C interrupts also what is taken up; commands wait, and /quit ends',
  async () => {
    const { home, provider } = await provided({ fault: { status: 401, type: 'authentication_error' } })
    await reverieBeside(['-m', 'go'], { home })
    provider.say(SLOW, SLOW)
    const person = new Person(home, 'sessions', 'resume')
    await person.sees(/word word/)
    person.types(CTRL_C)
    await person.sees(/\(interrupted\)/)
    person.types('again\r')
    await expect.poll(() => provider.requests.length, { timeout: 15_000 }).toBe(3)
    person.types('/help\r')
    await person.sees(/have to wait/)
    person.types('/quit\r')
    expect(await person.leaves()).toBe(0)
    expect(await person.said()).toEqual(['go', 'again'])
  },
)
