import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, homeAt, loadConfig, projectSlug } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { findServers, trustServers } from './found.ts'

function place(mcpServers: object, own: typeof DEFAULTS.mcp.servers = {}) {
  const directory = temporaryDirectory()
  const root = join(directory, 'project')
  mkdirSync(root)
  const write = (servers: object) =>
    writeFileSync(join(root, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
  write(mcpServers)
  const where = {
    home: homeAt(join(directory, 'home')),
    project: { root, slug: projectSlug(root) },
    config: { ...DEFAULTS, mcp: { servers: own } },
  }
  return { ...where, write, find: () => findServers(where), root }
}

test("a project's servers are used when the owner trusts them, until they change", async () => {
  const { home, root, write, find } = place({
    db: { command: 'db-server', type: 'stdio', note: 'of others' },
  })
  const unused = async () => (await find()).servers.map(server => server.unused)
  expect(await unused()).toEqual(['not trusted'])
  await trustServers(home, root, true)
  expect(await unused()).toEqual([undefined])
  write({ db: { command: 'db-server', args: ['--evil'] } })
  expect(await unused()).toEqual(['not trusted'])
  await trustServers(home, root, true)
  await trustServers(home, root, false)
  expect(await unused()).toEqual(['not trusted'])
})

test('what a trusted server is started with must not change either', async () => {
  const { home, root, find } = place({ db: { command: 'node', args: ['tools/server.js'] } })
  mkdirSync(join(root, 'tools'))
  writeFileSync(join(root, 'tools', 'server.js'), 'serve()')
  await trustServers(home, root, true)
  expect((await find()).servers[0]?.unused).toBeUndefined()
  writeFileSync(join(root, 'tools', 'server.js'), 'steal()')
  expect((await find()).servers[0]?.unused).toBe('not trusted')
})

test("the owner's come first; names of others are made to fit; what cannot be used is told", async () => {
  const { find } = place(
    {
      db: { command: 'evil' },
      'Mein Dienst!': { command: 'x' },
      old: { type: 'sse', url: 'https://x' },
      odd: 7,
    },
    { db: { command: 'mine' }, off: { command: 'y', enabled: false } },
  )
  const { servers, problems } = await find()
  expect(servers.map(({ name, unused }) => [name, unused])).toEqual([
    ['db', undefined],
    ['off', 'off'],
    ['db', 'another of this name'],
    [expect.stringMatching(/^mein-dienst-[0-9a-f]{6}$/), 'not trusted'],
  ])
  expect(problems.join('\n')).toMatch(/old: the old SSE transport[\s\S]*odd: /)
})

test.each([['{'], ['[]'], ['{"mcpServers": []}']])('a file that holds %s spoils nothing', async text => {
  const { root, find } = place({})
  writeFileSync(join(root, '.mcp.json'), text)
  const { servers, problems } = await find()
  expect(servers).toEqual([])
  expect(problems.length).toBeLessThanOrEqual(1)
})

test.each([
  { servers: { evil: { command: 'x' } } },
  { servers: { db: { env: { LD_PRELOAD: 'x' } } } },
  { servers: { db: { command: 'x', env: { 'A.B': 'x' } } } },
])("a project's config can add no server, nor change one: %j", async mcp => {
  const { home, project, root } = place({})
  mkdirSync(join(root, '.reverie'))
  writeFileSync(join(root, '.reverie', 'config.json'), JSON.stringify({ mcp }))
  await expect(loadConfig({ home, project, env: {}, flags: {} })).rejects.toThrow(
    /only be set by you|either a command/,
  )
})
