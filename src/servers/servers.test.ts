import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, homeAt, projectSlug } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import type { Tool } from '../tools/index.ts'
import { program, withServers } from './servers.fixture.ts'
import { Servers } from './servers.ts'

async function begin(servers: Config['mcp']['servers'], firstAnswerWaitsMs?: number) {
  const directory = temporaryDirectory()
  const root = join(directory, 'project')
  mkdirSync(root)
  const begun = await Servers.begin({
    home: homeAt(join(directory, 'home')),
    project: { root, slug: projectSlug(root) },
    config: withServers(servers) as Config,
    env: { PATH: process.env.PATH },
    ...(firstAnswerWaitsMs !== undefined && { firstAnswerWaitsMs }),
  })
  onTestFinished(() => begun.close())
  return begun
}

const names = (tools: readonly Tool[]) => tools.map(({ name }) => name)
const own = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `own_${at}` }))
const some = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }))
const context = { call: '1', signal: new AbortController().signal, progress() {}, ask: undefined }

test('without servers nothing is said of any, and nothing is loaded', async () => {
  const servers = await begin({})
  expect(servers.isEmpty).toBe(true)
  expect(await servers.lend(own(3))).toMatchObject({ told: [], notices: [] })
})

test('the first answer waits for a late server no longer than it may; it is found once it is there', async () => {
  const late = program({
    any: `if (method === 'initialize' && !process.up) { process.up = 1; setTimeout(() => handle({ id, method, params }), 600); return }`,
  })
  const servers = await begin({ late, soon: program() }, 200)
  const { told, notices } = await servers.lend(own(3))
  expect(names(told)).toContain('tool_search')
  expect(names(told)).not.toContain('mcp__late__echo')
  expect(notices.join()).toMatch(/late is still starting/)
  await servers.settled()
  const [search, call] = told.slice(-2) as [Tool, Tool]
  expect((await search.run({ query: 'late echo' }, context)).text).toContain('## mcp__late__echo')
  const called = await call.run({ name: 'mcp__late__echo', arguments: '{"text":"a"}' }, context)
  expect(called.text).toContain('heard a')
  expect(servers.status().map(({ name, state }) => [name, state])).toEqual([
    ['late', 'ready'],
    ['soon', 'ready'],
  ])
})

test.each([
  [10, 20, 20],
  [10, 21, 0],
  [40, 8, 8],
  [40, 9, 0],
])('beside %i of our own, of %i tools %i are told of', async (ours, theirs, expected) => {
  const servers = await begin({ small: program({ tools: some(theirs) }) })
  const { told, others } = await servers.lend(own(ours))
  expect(told).toHaveLength(expected + 2)
  expect(others()).toHaveLength(theirs - expected)
  // Decided once, whatever is there later.
  expect(await servers.lend([])).toMatchObject({ told })
})

test('what it says of itself is believed where the owner says so', async () => {
  const flags = async (trustHints: boolean) => {
    const servers = await begin({ small: { ...program(), trustHints } })
    const [tool] = (await servers.lend([])).told
    return [tool?.readOnly, tool?.concurrent]
  }
  expect(await flags(false)).toEqual([false, true])
  expect(await flags(true)).toEqual([true, true])
})
