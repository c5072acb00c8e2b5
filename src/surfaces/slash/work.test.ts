/** Tasks, the background and schedules in one conversation: with a model on the wire, and with none. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../agent/index.ts'
import { type ConversationOptions, openConversation } from '../../assembly/index.ts'
import { findProject, homeAt, loadConfig } from '../../config/index.ts'
import { type Line, startFakeProvider } from '../../models/wire.fixture.ts'
import { toolResultsOf } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { NewsBox } from '../../work/index.ts'
import { runSlashCommand, type SlashContext } from './index.ts'

const FAR_OFF = { timeout: 30_000 }
const ignore = () => {}

async function world(settings: object, options: Partial<ConversationOptions> = {}) {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, 'home'))
  const root = join(directory, 'project')
  mkdirSync(home.path)
  mkdirSync(root)
  writeFileSync(home.config, JSON.stringify(settings))
  writeFileSync(join(root, 'notes.txt'), 'the lighthouse is blue\n')
  const project = findProject(root)
  const env = { PATH: process.env.PATH }
  const config = () => loadConfig({ home, project, env, flags: {} })
  const conversation = await openConversation({
    home,
    project,
    env,
    config: (await config()).config,
    attended: true,
    ...options,
  })
  onTestFinished(() => conversation.close())
  const { agent, jobs } = conversation
  const asides: string[] = []
  agent.listen((event: AgentEvent) => {
    if (event.type === 'aside') asides.push(event.text)
  })
  const woken = Promise.withResolvers<void>()
  agent.onNotice = () => woken.resolve()
  const place = { home, project, env, config, memory: undefined, agent, jobs, columns: 200, colours: false }
  const context: SlashContext = { ...place, switchTo: async () => {}, tell: ignore }
  const slash = async (line: string) => (await runSlashCommand(line, context)).text ?? ''
  return { home, project, root, conversation, agent, jobs, asides, slash, woken: woken.promise }
}

async function withModel(...lines: Line[]) {
  const provider = await startFakeProvider(...lines)
  onTestFinished(() => provider.close())
  const settings = {
    model: 'custom/model-x',
    providers: provider.settings('custom'),
    permissions: { mode: 'auto' },
  }
  return { provider, ...(await world(settings)) }
}

test('with a model: four tasks that wait for each other, a slow command beside a file, a job every two minutes', async () => {
  const call = (name: string, input: object) => ({ name, input })
  let job = ''
  const { agent, provider, root, woken, jobs } = await withModel(
    {
      calls: [
        call('task_create', { subject: 'Parse' }),
        call('task_create', { subject: 'Test', blockedBy: [1] }),
        call('task_create', { subject: 'Document', blockedBy: [1] }),
        call('task_create', { subject: 'Release', blockedBy: [2, 3] }),
      ],
    },
    { calls: [call('task_list', {})] },
    { calls: [call('task_claim', { id: 1 }), call('task_claim', { id: 4 })] },
    { calls: [call('task_complete', { id: 1 })] },
    { text: 'Parsed; testing and documenting can begin.' },
    {
      calls: [
        call('bash', { command: 'until [ -e go ]; do sleep 0.02; done; echo slow', background: true }),
        call('read_file', { path: 'notes.txt' }),
      ],
    },
    { text: 'Blue.' },
    { text: 'The slow one is done.' },
    { calls: [call('cron_create', { cron: '*/2 * * * *', every: '', prompt: 'Is CI green?' })] },
    { calls: [call('cron_list', {})] },
    () => ({ calls: [call('cron_delete', { id: job })] }),
    { text: 'Cancelled.' },
  )
  const results = () =>
    agent.messages
      .flatMap(toolResultsOf)
      .map(({ content }) => content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  await agent.send('Plan and begin.', ignore)
  const [, , , , listed, claimed, blocked, completed] = results().map(text => JSON.parse(text))
  expect(listed.tasks.map(({ id, ready }: { id: number; ready: boolean }) => [id, ready])).toEqual([
    [1, true],
    [2, false],
    [3, false],
    [4, false],
  ])
  expect(claimed).toMatchObject({ claimed: true, id: 1 })
  expect(blocked).toMatchObject({ claimed: false, reason: 'blocked' })
  expect(completed).toEqual({ id: 1, status: 'completed', unblocked: [2, 3] })

  await agent.send('Run the slow one, and read the notes.', ignore)
  expect(results().at(-1)).toContain('the lighthouse is blue')
  writeFileSync(join(root, 'go'), '')
  await woken
  await agent.attend(ignore)
  expect(provider.requests.at(-1)?.text).toMatch(/completed.*Its last line: slow/)

  await agent.send('Watch CI every two minutes; list it; cancel it.', event => {
    if (event.type === 'tool-ended' && event.tool === 'cron_create') job = JSON.parse(event.text).id
  })
  const [created, inList, deleted] = results()
    .slice(-3)
    .map(text => JSON.parse(text))
  expect(created).toMatchObject({ cron: '*/2 * * * *', recurring: true, durable: true, madeBy: 'agent' })
  expect(Date.parse(created.expiresAt)).toBeGreaterThan(Date.now() + 6.9 * 24 * 3_600_000)
  expect(inList.jobs).toMatchObject([{ id: job, prompt: 'Is CI green?' }])
  expect(deleted).toEqual({ id: job, deleted: true })
  expect(jobs.scheduling.schedule.list().jobs).toEqual([])
  expect(provider.unanswered).toEqual([])
})

test('with none: the same through slash commands', async () => {
  const { slash, root, agent, asides } = await world({ model: 'embedded' })
  await slash('/tasks create Parse')
  await slash('/tasks create Test --after 1')
  await slash('/tasks create Document --after 1')
  await slash('/tasks create Release --after 2 --after 3')
  expect(await slash('/tasks list --ready')).toMatch(/^ID.*\n1 +ready +Parse$/)
  await expect(slash('/tasks claim 4')).resolves.toMatch(/has to wait for tasks 2 and 3/)
  await slash('/tasks claim 1')
  expect(await slash('/tasks complete 1')).toMatch(/2.*3/)

  expect(await slash('/bg run until [ -e go ]; do sleep 0.02; done; echo slow')).toMatch(
    /Runs in the background as (sh_\w+)\. .bg \1 shows/,
  )
  expect(await slash('/bg')).toMatch(/sh_[0-9a-f]+ +running/)
  writeFileSync(join(root, 'go'), '')
  await expect.poll(() => agent.background.list().map(({ status }) => status), FAR_OFF).toEqual(['completed'])
  await expect.poll(() => asides.join(), FAR_OFF).toMatch(/completed\. Its last line: slow/)
  expect(await slash(`/bg ${agent.background.list()[0]?.id}`)).toMatch(/completed[\s\S]*slow/)

  expect(await slash('/cron add every 2m: is CI green?')).toMatch(/^Job [0-9a-f]{8}: every 2m, next at /m)
  expect(await slash('/cron add --session */2 * * * *: look: closely')).toMatch(/^Job /m)
  expect(await slash('/cron add --in "20 minutes" --prompt Tea')).toMatch(/once, at /)
  const listed = await slash('/cron')
  expect(listed).toMatch(/every 2m +is CI green\?/)
  expect(listed).toMatch(/\*\/2 \* \* \* \* +look: closely \(not kept\)/)
  for (const line of listed.split('\n')) await slash(`/cron remove ${line.slice(0, 6)}`)
  expect(await slash('/cron list')).toBe('There are no jobs.')
  await expect(slash('/cron add sometimes: x')).rejects.toThrow(/not a schedule/)
  await expect(slash('/cron add x')).rejects.toThrow(/as in \/cron add every 10m/)
  await expect(slash('/cron remove 12345678')).rejects.toThrow(/no job "12345678"/)
})

test('what jobs come to is told where somebody talks: run here, or left there by another process', async () => {
  const { slash, asides, agent, home, project, provider } = await withModel(
    { text: 'CI is green.' },
    { text: 'So it is.' },
  )
  await slash('/cron add every 2m: is CI green?')
  const [id = ''] = /[0-9a-f]{8}/.exec(await slash('/cron')) ?? []
  expect(await slash(`/cron run ${id}`)).toMatch(/begins now/)
  await expect.poll(() => asides, FAR_OFF).toEqual([`Job ${id} (every 2m: is CI green?): CI is green.`])
  const at = new Date().toISOString()
  const news = { source: 'other', kind: 'result', name: 'Job other', at } as const
  await new NewsBox(home, project).add({ ...news, text: 'first' })
  await new NewsBox(home, project).add({ ...news, text: 'second' })
  await expect.poll(() => asides.at(-1), FAR_OFF).toBe('Job other (the last of 2 times): second')
  await agent.send('What is new?', ignore)
  expect(provider.requests[1]?.text).toMatch(/CI is green\.[\s\S]*second/)
  expect(await new NewsBox(home, project).take()).toEqual([])
})

test('news that cannot be read for a while are told as such once, and told when they can be', async () => {
  const { asides, home, project } = await world({ model: 'embedded' })
  const { path } = new NewsBox(home, project)
  const inTheWay = join(dirname(path), 'locks', 'news')
  mkdirSync(dirname(inTheWay), { recursive: true })
  writeFileSync(inTheWay, '')
  const at = new Date().toISOString()
  const news = { source: 'other', kind: 'result', name: 'Job other', at, text: 'first', times: 1 }
  writeFileSync(path, JSON.stringify({ version: 1, news: [news] }))
  await expect.poll(() => asides, FAR_OFF).toEqual([expect.stringMatching(/cannot be read just now/)])
  rmSync(inTheWay)
  await expect.poll(() => asides.slice(1), FAR_OFF).toEqual(['Job other: first'])
})

test('where a conversation ends with its answer a job is waited for, and nothing is begun that would end at once', async () => {
  const { slash, agent, jobs } = await world({ model: 'embedded' }, { attended: false })
  await slash('/cron add every 1h: what do you know about ships?')
  const [id = ''] = /[0-9a-f]{8}/.exec(await slash('/cron')) ?? []
  expect(await slash(`/cron run ${id}`)).toMatch(/^Memory is off/)
  expect(jobs.scheduling.ledger.runs()).toMatchObject([{ source: id, status: 'completed' }])
  await jobs.scheduling.ledger.begin('schedule', id)
  await expect(slash(`/cron run ${id}`)).rejects.toThrow(/runs already/)
  await expect(slash('/cron add --session every 1h: look')).rejects.toThrow(/would never run/)
  await expect(slash('/bg run sleep 1000')).rejects.toThrow(/ends with its answer/)
  for (const line of ['/bg stop', '/bg run', '/bg show', '/bg what is this'])
    await expect(slash(line)).rejects.toThrow(/used like this: \/bg/)
  expect([agent.background.list(), jobs.scheduling.schedule.list().jobs.length]).toEqual([[], 1])
})

test('jobs of a session end with it, and that is told; a job makes no jobs', async () => {
  const { slash, asides, conversation } = await world({ model: 'embedded' })
  await slash('/cron add --session every 1h: look')
  expect(conversation.isBusy).toBe(true)
  await conversation.close()
  expect(asides).toEqual(['1 job of this session ended with it.'])

  const run = await world({ model: 'embedded' }, { attended: false, answersJob: true })
  const [create] = run.jobs.tools()
  const context = { call: 'x', signal: new AbortController().signal, progress: ignore, ask: undefined }
  await expect(create?.run({ every: '1h', prompt: 'more' }, context)).rejects.toThrow(/makes no jobs/)
})
