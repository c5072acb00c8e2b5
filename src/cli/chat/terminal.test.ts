import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FakeProvider, type Line, startFakeProvider } from '../../models/wire.fixture.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { hasTmux, Pane } from './pane.fixture.ts'

const SLOW: Line = { text: 'word '.repeat(500), fault: { trickle: 50 } }
const MARKDOWN =
  '# Plan\n\nUse **tabs**:\n\n| key | value |\n|---|---|\n| a | 制表 |\n\n```ts\nreturn 1\n```\n'
const READY = /› Say something/

async function provided(...lines: Line[]): Promise<{ provider: FakeProvider; home: string }> {
  const provider = await startFakeProvider(...lines)
  onTestFinished(() => provider.close())
  const home = temporaryDirectory()
  const config = { providers: provider.settings('custom'), model: 'custom/model-x' }
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  return { provider, home }
}

test.skipIf(!hasTmux)(
  'a conversation: Markdown is drawn, a paste is sent in full, the window changes, what was typed comes back',
  async () => {
    const { home, provider } = await provided({ text: MARKDOWN }, { text: 'Second.' }, { text: 'Third.' })
    const pane = await Pane.open({ home })
    await pane.sees(READY)
    await pane.types('hello', 'Enter')
    await pane.sees(/› hello\n\nPlan\n\nUse tabs:\n\nkey │ value\n────┼──────\na {3}│ 制表\n\n {2}return 1\n/)
    expect(await pane.screen({ styled: true })).toMatch(/\u001b\[35mreturn/)

    await pane.resizes(44, 20)
    await pane.types('one', 'M-Enter', 'two')
    await pane.sees(/\n─{44}\n› one\n {2}two\ncustom\/model-x · \d+ % of context$/)
    expect((await pane.everything()).match(/Say something/g) ?? []).toHaveLength(0)
    await pane.types('Enter')
    await pane.sees(/Second\./)

    const long = Array.from({ length: 120 }, (_, at) => `line ${at}`).join('\n')
    await pane.types('see ')
    await pane.pastes(long)
    await pane.sees(/› see \[Pasted 120 lines\]/)
    await pane.types('Enter')
    await pane.sees(/Third\./)
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain(
      JSON.stringify(`see ${long}`).slice(1, -1),
    )

    await pane.types('/qu', 'Enter')
    await pane.sees(/To go on: reverie sessions resume [\w-]+\n?[\w-]*\nended with 0\nicanon/)

    const next = await Pane.open({ home, args: ['sessions', 'resume'] })
    await next.sees(/› see line 0[\s\S]*Third\.[\s\S]*› Say something/)
    await next.types('Up', 'Up', 'Up')
    await next.sees(/› one\n {2}two/)
    await next.types('C-c', 'C-r', 'ell')
    await next.sees(/› hello[\s\S]*search: ell/)
    await next.types('C-c', 'C-d')
    await next.sees(/ended with 0\nicanon/)
    const typed = join(home, 'typed.jsonl')
    expect(readFileSync(typed, 'utf8').split('\n')[0]).toBe('"hello"')
    expect(statSync(typed).mode & 0o777).toBe(0o600)
  },
)

test.skipIf(!hasTmux)(
  'a permission is asked for in place, Escape interrupts, what is typed meanwhile waits and is heard',
  async () => {
    const call = (command: string): Line => ({
      calls: [{ name: 'bash', input: { command, description: 'writes' } }],
    })
    const { home, provider } = await provided(
      call('touch first'),
      call('touch second'),
      { text: 'Not then.' },
      SLOW,
      { text: 'Something else.' },
      SLOW,
    )
    const pane = await Pane.open({ home })
    await pane.sees(READY)
    await pane.types('do it', 'Enter')
    await pane.sees(/command: touch first[\s\S]*Allow bash\?\n {2}1\. Yes, once\n {2}2\. .*\n/)
    await pane.types('Down', 'Enter')
    await pane.sees(/✓ bash touch first[\s\S]*command: touch second[\s\S]*Allow bash\?/)
    expect(existsSync(join(home, 'first'))).toBe(true)
    await pane.types('use the other one', 'Enter')
    await pane.sees(/→ use the other one[\s\S]*✗ bash touch second[\s\S]*Not then\./)
    expect(existsSync(join(home, 'second'))).toBe(false)
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('use the other one')

    await pane.types('go on', 'Enter')
    await pane.sees(/word word/)
    await pane.types('never mind', 'Enter')
    await pane.sees(/⋯ never mind/)
    await pane.types('/unsay', 'Enter')
    await pane.sees(/› never mind/)
    await pane.types('C-u', '/now another thing', 'Enter')
    await pane.sees(/› another thing\n\nSomething else\./)
    expect(JSON.stringify(provider.requests.at(-1)?.body)).not.toContain('never mind')

    await pane.types('again', 'Enter')
    await pane.sees(/› again\n\nword word[\s\S]*Esc interrupts/)
    await pane.types('/bg', 'Enter')
    await pane.sees(/› \/bg\n\nNothing has run in the background/)
    await pane.types('Escape')
    await pane.sees(/\(interrupted\)/)
    await pane.signals('TERM')
    await pane.sees(/ended with 143\nicanon/)
  },
)

test.skipIf(!hasTmux)(
  'with nothing configured and without colours: remembered with its undo, dreamt, commands completed; left and taken up again',
  async () => {
    const home = temporaryDirectory()
    const pane = await Pane.open({ home, env: { NO_COLOR: '1' }, rows: 40 })
    await pane.sees(/No language model is connected[\s\S]*ANTHROPIC_API_KEY[\s\S]*› Say something/)
    await pane.types('I prefer tabs for indentation. Remember that.', 'Enter')
    await pane.sees(/✓ Remembered: Prefers tabs.* · undo: \/undo \w+/)
    await pane.types('/drea')
    await pane.sees(/› \/drea\n❯ \/dream .*\n {2}\/dream-log .*\n {2}\/dream-restore /)
    await pane.types('Tab', 'f')
    await pane.sees(/› \/dream f\n❯ force/)
    await pane.types('Down', 'Enter')
    await pane.sees(/› \/dream force\n\n(?:All is in order|Improved)/)
    await pane.types('/forget u')
    await pane.sees(/❯ user_prefers-tabs\S* {2}/)
    await pane.types('Tab', 'Enter')
    await pane.sees(/Forgot user_prefers-tabs/)
    expect(await pane.screen({ styled: true })).not.toContain('\u001b[')
    await pane.types('C-r', 'nobody typed this')
    await pane.sees(/search: nobody typed this▏ nothing like it/)
    await pane.types('Escape')
    await pane.seesNoMore(/search:/)
    await pane.types('C-c')
    await pane.sees(/Ctrl-C again ends/)
    await pane.types('C-c')
    await pane.sees(/ended with 0\nicanon/)
  },
)

/** Something in the program goes wrong in a way that nobody foresaw. */
const FAILS_ON_ALARM = `process.on('SIGALRM', () => { throw new Error('unforeseen') })`

test.skipIf(!hasTmux)('a tiny window shows what is typed; what fails gives the terminal back', async () => {
  const home = temporaryDirectory()
  const failing = join(home, 'failing.mjs')
  writeFileSync(failing, FAILS_ON_ALARM)
  const env = { NODE_OPTIONS: `--import=${failing}` }
  const pane = await Pane.open({ home, columns: 40, rows: 8, env })
  await pane.sees(READY)
  await pane.types('a'.repeat(60))
  await pane.sees(/› a{37}\n {2}a{23}$/)
  await pane.types('/x', 'C-c')
  await pane.seesNoMore(/aaa/)
  await pane.types('typed')
  await pane.sees(/› typed/)
  await pane.signals('ALRM')
  await pane.sees(/ended with [1-9]\d*\nicanon/)
})
