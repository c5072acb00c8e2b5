import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULTS, homeAt, projectSlug } from '../../config/index.ts'
import { type Reply, startFakeProvider, type WireRequest } from '../../models/wire.fixture.ts'
import { toolResultsOf } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Agent } from '../agent.ts'

/** A conversation whose model says of each request what the script says of it. */
async function opened(script: (request: WireRequest, last: string, isHelper: boolean) => Reply) {
  const root = join(temporaryDirectory(), 'project')
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(join(root, 'notes.txt'), 'the lighthouse is blue\n')
  const provider = await startFakeProvider()
  provider.always(request => {
    const { messages } = request.body
    const asked = messages.filter(({ role }: { role: string }) => role === 'user')
    return script(request, JSON.stringify(messages.at(-1)), JSON.stringify(asked).includes('[helper]'))
  })
  const agent = await Agent.open({
    home: homeAt(join(root, '..', 'home')),
    project: { root, slug: projectSlug(root) },
    config: { ...DEFAULTS, model: 'anthropic/claude-x', providers: provider.settings('anthropic') },
    env: { PATH: process.env.PATH },
  })
  agent.askPermission = async () => ({ answer: 'once' })
  onTestFinished(async () => {
    await agent.close()
    await provider.close()
  })
  const results = () =>
    agent.messages
      .flatMap(toolResultsOf)
      .map(({ content }) => content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  return { agent, provider, root, results }
}

const call = (name: string, input: unknown): Reply => ({ calls: [{ name, input }] })
const ignore = () => {}

test('agent and helper each know what they have read themselves: neither undoes the other’s edit unseen', async () => {
  const shown: string[] = []
  const { agent, root, results } = await opened((_, last, isHelper) => {
    if (isHelper) {
      if (last.includes('[helper]')) return call('read_file', { path: 'notes.txt' })
      if (last.includes('Changed')) return { text: 'It is red now.' }
      shown.push(last)
      return call('edit_file', { path: 'notes.txt', old: 'blue', new: 'red' })
    }
    if (last.includes('Mend')) return call('read_file', { path: 'notes.txt' })
    if (last.includes('It is red now'))
      return call('write_file', { path: 'notes.txt', content: 'the lighthouse is blue and tall\n' })
    if (last.includes('changed since')) return { text: 'Then not.' }
    return call('agent', { task: '[helper] Paint it.' })
  })
  expect(await agent.send('Mend the notes.', ignore)).toEqual({ reason: 'answered' })
  // It was shown the file, though its caller had been before.
  expect(shown).toEqual([expect.stringContaining('the lighthouse is blue')])
  expect(results().at(-1)).toContain('was changed since you read it')
  expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('the lighthouse is red\n')
})

test('a helper works where it went to, and its caller stays where it was', async () => {
  const { agent, root, results } = await opened((_, last, isHelper) => {
    if (isHelper) return last.includes('[helper]') ? call('bash', { command: 'cd src' }) : { text: 'I went.' }
    if (last.includes('Go')) return call('agent', { task: '[helper] Go into src.' })
    return last.includes('I went') ? call('bash', { command: 'pwd' }) : { text: 'Here.' }
  })
  await agent.send('Go.', ignore)
  expect(results().at(-1)?.trim()).toBe(root)
  expect(agent.hands.workspace.directory).toBe(root)
})

test('a fork is told of the same tools, knows what was read, calls no helpers, and goes on when resumed', async () => {
  const { agent, provider, root } = await opened((_, last, isHelper) => {
    if (isHelper) {
      if (last.includes('[helper] Once more')) return { text: 'Still here.' }
      if (last.includes('[helper]')) return call('edit_file', { path: 'notes.txt', old: 'blue', new: 'red' })
      if (last.includes('Changed')) return call('agent', { task: 'Do it for me.' })
      return { text: 'Forked and done.' }
    }
    if (last.includes('Mend')) return call('read_file', { path: 'notes.txt' })
    return last.includes('Forked')
      ? { text: 'Good.' }
      : call('agent', { fork: true, task: '[helper] Paint it.' })
  })
  await agent.send('Mend it.', ignore)
  const forks = provider.requests.filter(({ text }) => text.includes('[helper]'))
  expect(JSON.stringify(forks[0]?.body.tools)).toBe(JSON.stringify(provider.requests[0]?.body.tools))
  expect(forks[2]?.text).toContain('Helpers call no helpers')
  expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('the lighthouse is red\n')
  const [fork] = agent.helpers.list()
  expect(agent.helpers.list()).toMatchObject([{ agent: 'fork', status: 'completed', turns: 3 }])
  const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
  const again = await agent.helpers
    .tools()[0]
    ?.run({ resume: fork?.id, task: '[helper] Once more.' }, context)
  expect(again?.text).toContain('Still here.')
})

test('what a helper has started is told to the helper, and after its end to the conversation', async () => {
  const waitsFor = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done; echo finished slowly`
  const { agent, provider, root } = await opened((_, last, isHelper) => {
    if (!isHelper)
      return last.includes('Start') ? call('agent', { task: '[helper] Run it.' }) : { text: 'Noted.' }
    if (last.includes('[helper]')) return call('bash', { command: waitsFor('first'), background: true })
    if (last.includes('Its last line: finished slowly'))
      return call('bash', { command: waitsFor('second'), background: true })
    if (provider.requests.some(({ text }) => text.includes('-e second'))) return { text: 'One still runs.' }
    return call('bash', { command: 'touch first; sleep 0.05' })
  })
  const woken = new Promise<void>(resolve => {
    agent.onNotice = resolve
  })
  await agent.send('Start it.', ignore)
  expect(agent.messages.filter(({ origin }) => origin === 'notification')).toEqual([])
  expect(agent.helpers.list()).toMatchObject([{ status: 'completed' }])
  writeFileSync(join(root, 'second'), '')
  await woken
  await agent.attend(ignore)
  expect(JSON.stringify(agent.messages.at(-2))).toContain('Its last line: finished slowly')
})
