import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { Sessions, sourceOfRunSession, textOf } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { RunLedger, runFile } from '../work/index.ts'
import { openConversation } from './index.ts'
import { answerDue, dropOldRunSessions, runSessionsToDrop } from './scheduled-run.ts'

async function world(...lines: Line[]) {
  const provider = await startFakeProvider(...lines)
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const config = { ...DEFAULTS, model: 'custom/model-x', providers: provider.settings('custom') }
  const ledger = new RunLedger(runFile(home, project))
  const place = {
    home,
    project,
    env: {},
    config: async () => config,
    withMemory: true,
    ledger,
    open: openConversation,
  }
  const run = async (prompt = 'look', signal = new AbortController().signal) => {
    const begun = await ledger.begin('schedule', 'job-1')
    const id = 'run' in begun ? begun.run.id : ''
    const due = { source: 'job-1', name: 'Job job-1', trigger: 'schedule', prompt, run: id } as const
    return answerDue(due, signal, place).finally(() => ledger.end(id, { status: 'completed' }))
  }
  return { provider, home, project, root, run, ledger, sessions: new Sessions(home, project) }
}

test('a run is answered in a session of its own, as nobody’s talk; the next one knows what it said', async () => {
  const { provider, run, ledger, sessions } = await world(
    { text: 'Two builds failed.' },
    { text: 'Nothing new.' },
  )
  await using _ = provider
  const { session, text } = await run()
  expect(text).toBe('Two builds failed.')
  expect(ledger.runs()).toMatchObject([{ owner: { session } }])
  expect(sourceOfRunSession(session)).toBe('job-1')
  const { messages, meta } = await sessions.load(session)
  expect(messages.map(({ origin }) => origin)).toEqual(['schedule', 'model'])
  expect(meta.title).toBe('schedule: look')
  await run()
  const [first, second] = provider.requests.map(({ text }) => text)
  expect(first).not.toMatch(/the run before/)
  expect(second).toMatch(/the run before this one[\s\S]*Two builds failed\./)
  expect(await sessions.ids()).toHaveLength(2)
})

test('what needs a yes is refused, as nobody is there; what it left in the background is waited for', async () => {
  const { provider, run, root } = await world(
    { calls: [{ name: 'write_file', input: { path: 'x.txt', content: 'x' } }] },
    { calls: [{ name: 'bash', input: { command: 'sleep 0.3; cat note.txt', background: true } }] },
    { text: 'It runs.' },
    { text: 'The note says tea.' },
  )
  await using _ = provider
  writeFileSync(join(root, 'note.txt'), 'tea')
  expect(await run()).toMatchObject({ text: 'The note says tea.' })
  expect(provider.requests[1]?.text).toMatch(/nobody is there to give it/)
  expect(provider.requests[3]?.text).toMatch(/"status\\*":\\*"completed/)
})

test('a model that fails is a failed run; one that is stopped ends at once', async () => {
  const { provider, run } = await world({ fault: { status: 401 } }, { fault: { stall: 'request' } })
  await using _ = provider
  await expect(run()).rejects.toThrow(/key/i)
  const controller = new AbortController()
  const running = run('look', controller.signal)
  await expect.poll(() => provider.requests.length, { timeout: 30_000 }).toBe(2)
  controller.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})

test('ten sessions of a job are kept, and two hundred of all; what somebody talked in stays', async () => {
  const id = (source: string, minute: number) =>
    `run-${source}-20261118-09${String(minute).padStart(2, '0')}00-aaaa`
  const of = (source: string, count: number) => Array.from({ length: count }, (_, at) => id(source, at))
  expect(runSessionsToDrop([...of('a', 12), ...of('b', 3), '20261118-092412-k3f9qa']).toSorted()).toEqual(
    of('a', 2),
  )
  const many = Array.from({ length: 25 }, (_, at) => of(`s${at}`, 10)).flat()
  expect(runSessionsToDrop(many)).toHaveLength(50)

  const { provider, home, project, sessions } = await world()
  await using _ = provider
  for (const [at, session] of of('a', 13).entries()) {
    await using transcript = sessions.create({ id: session })
    const origin = at === 1 ? 'person' : 'schedule'
    const said = { id: 'm', role: 'user', at: '2026-11-18T09:00:00.000Z' } as const
    await transcript.append({ ...said, origin, parts: [{ type: 'text', text: 'hello' }] })
  }
  await dropOldRunSessions(home, project, () => {})
  expect((await sessions.ids()).toSorted()).toEqual(of('a', 13).filter((_, at) => at === 1 || at > 2))
  const kept = await sessions.load(id('a', 1))
  expect(kept.messages.map(textOf)).toEqual(['hello'])
})
