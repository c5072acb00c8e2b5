import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { type CreateAgentOptions, createAgent, tool } from './index.ts'

/** A home and a project of nobody's, and a model that says these lines. */
async function place(...lines: Line[]) {
  const root = temporaryDirectory()
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  for (const directory of [home, project]) mkdirSync(directory)
  const provider = await startFakeProvider(...lines)
  onTestFinished(() => provider.close())
  const make = async ({ settings, ...more }: CreateAgentOptions = {}) => {
    const agent = await createAgent({
      home,
      project,
      env: { PATH: process.env.PATH },
      memory: false,
      settings: {
        model: 'anthropic/claude-x',
        providers: provider.settings('anthropic'),
        extraction: { approval: 'off' },
        ...settings,
      },
      ...more,
    })
    onTestFinished(() => agent.close())
    return agent
  }
  const messages = () => provider.requests.at(-1)?.body.messages ?? []
  const lastResult = () => JSON.stringify(messages().at(-1))
  return { home, project, provider, make, messages, lastResult }
}

const WRITES: Line = { calls: [{ name: 'bash', input: { command: 'touch made' } }] }
const plain = (name: string, run: () => unknown) =>
  tool({ name, description: 'x', parameters: { type: 'object' }, run: run as () => string })

test("rules that a program gives stand in the place of the owner's, and the project's restrict all the same", async () => {
  const { home, project, make, lastResult } = await place(
    WRITES,
    { text: '.' },
    WRITES,
    { text: '.' },
    WRITES,
    {
      text: '.',
    },
  )
  const owner = { permissions: { deny: ['bash'] } }
  writeFileSync(join(home, 'config.json'), JSON.stringify(owner))
  await (await make()).ask('Make it.')
  expect(lastResult()).toContain('"is_error":true')
  const settings = { permissions: { allow: ['bash(touch:*)', 'edit_file', 'write_file'] } }
  await (await make({ settings })).ask('Make it.')
  expect(lastResult()).not.toContain('"is_error":true')
  mkdirSync(join(project, '.reverie'))
  writeFileSync(join(project, '.reverie', 'config.json'), JSON.stringify(owner))
  await (await make({ settings })).ask('Make it.')
  expect(lastResult()).toContain('"is_error":true')
})

test('settings are checked like those of a file', async () => {
  const { make } = await place()
  const wrong = (settings: object) => make({ settings })
  await expect(wrong({ modle: 'x' })).rejects.toThrow(
    'settings: "modle" is not a setting; did you mean "model"?',
  )
  await expect(wrong({ maxTurns: 'many' })).rejects.toThrow('settings: "maxTurns"')
  await expect(wrong({ permissions: { allow: [''] } })).rejects.toThrow('settings: "permissions.allow')
})

test.each([true, { answer: 'deny' }, { answer: 'yes' }, undefined, {}])(
  'what is no yes to a question is a no: %j',
  async given => {
    const { make, lastResult } = await place(WRITES, { text: '.' })
    const agent = await make({ onPermission: async () => given as never })
    await agent.ask('Make it.')
    expect(lastResult()).toContain('The person said no.')
  },
)

test('tools that cannot be told apart are refused; what is no text is told to be none', async () => {
  const { make, lastResult } = await place({ calls: [{ name: 'odd', input: {} }] }, { text: 'I see.' })
  await expect(make({ tools: [plain('bash', () => '')] })).rejects.toThrow('two tools with the name "bash"')
  await expect(make({ tools: [plain('a', () => ''), plain('a', () => '')] })).rejects.toThrow('"a"')
  const agent = await make({ tools: [plain('odd', () => ({ celsius: 21 }))] })
  await agent.ask('How warm is it?')
  expect(lastResult()).toContain('a tool returns a string, or { text, images }')
})

test('an image that no model takes is refused before it is said', async () => {
  const { make, provider } = await place({ text: 'Nothing.' })
  const agent = await make()
  const ask = (mediaType: string, data: string) =>
    agent.ask('What is this?', { images: [{ type: 'image', mediaType, data }] })
  await expect(ask('text/plain', 'AAAA')).rejects.toThrow('An image is given as')
  await expect(ask('image/png', 'data:image/png;base64,AAAA')).rejects.toThrow('An image is given as')
  await agent.ask('And now?')
  expect(provider.requests).toHaveLength(1)
  expect(provider.requests[0]?.text).not.toContain('What is this?')
})

test('an agent that was closed says so; its session is taken up by another', async () => {
  const { make, messages } = await place({ text: 'One.' }, { text: 'Two.' })
  const agent = await make()
  await agent.ask('Count.')
  await agent.close()
  await agent.close()
  await expect(agent.ask('Go on.')).rejects.toThrow(/was closed/)
  const again = await make({ session: agent.session })
  expect((await again.ask('Go on.')).text).toBe('Two.')
  expect(messages()).toHaveLength(3)
})
