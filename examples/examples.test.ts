import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { BIN } from '../src/cli/reverie.fixture.ts'
import { type Line, startFakeProvider } from '../src/models/wire.fixture.ts'
import { temporaryDirectory } from '../src/store/temporary-directory.fixture.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs an example as it stands, in a home of its own; with lines, beside a model that says them. */
async function run(name: string, ...lines: Line[]) {
  const home = temporaryDirectory()
  await using provider = await startFakeProvider(...lines)
  mkdirSync(home, { recursive: true })
  if (lines.length > 0)
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({
        model: 'anthropic/claude-x',
        extraction: { approval: 'off' },
        providers: provider.settings('anthropic'),
      }),
    )
  vi.stubEnv('REVERIE_HOME', home)
  vi.stubEnv('PATH', `${dirname(BIN)}${delimiter}${process.env.PATH}`)
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation(text => void said.push(String(text)))
  await import(/* @vite-ignore */ `./${name}.ts`)
  return { said, provider }
}

test('memory', async () => {
  const { said } = await run('memory')
  expect(said).toEqual(['Prefers tabs: saved today', 'dream: nothing'])
})

test('agent', async () => {
  const { said } = await run('agent')
  expect(said.join()).toContain('I prefer tabs for indentation')
})

test('events', async () => {
  const { said } = await run('events')
  expect(said).toEqual(['→ memory_save', expect.stringMatching(/^remembered user_.*\.md$/), 'answered'])
})

test('tool', async () => {
  const { said, provider } = await run(
    'tool',
    { calls: [{ name: 'weather', input: { town: 'Lisbon' } }] },
    {
      calls: [
        { name: 'weather', input: { city: 'Lisbon' } },
        { name: 'write_file', input: { path: 'plan.md', content: 'x' } },
      ],
    },
    { text: 'It is sunny: go.' },
  )
  expect(said).toEqual([expect.stringMatching(/^denied write_file: /), 'It is sunny: go.'])
  const [first, second, third] = provider.requests.map(({ text }) => text)
  expect(first).toContain('You plan picnics.')
  expect(first).toContain('"required":["city"]')
  expect(second).toMatch(/arguments of weather do not fit/)
  expect(third).toContain('It is sunny in Lisbon')
})

test('mcp', async () => {
  const input = {
    type: 'project',
    name: 'Releases',
    description: 'Releases are on Fridays',
    body: 'On Fridays.',
  }
  const { said } = await run('mcp', { calls: [{ name: 'mcp__lent__memory_save', input }] }, { text: 'Kept.' })
  expect(said).toEqual(['mcp__lent__memory_save: ok', 'Kept.'])
})
