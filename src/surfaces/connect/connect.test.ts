import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { OTHER_AGENTS } from './agents/index.ts'
import type { OtherAgent } from './other-agent.ts'
import { emptyMachine, NASTY_JSON, NASTY_TOML, put, read } from './settings.fixture.ts'
import { standings } from './standing.ts'

const [claudeCode, codex, cursor, gemini, opencode, vscode] = OTHER_AGENTS as unknown as Record<
  number,
  OtherAgent
> &
  Iterable<OtherAgent>
const each = { claudeCode, codex, cursor, gemini, opencode, vscode } as Record<string, OtherAgent>

function fileOf(agent: OtherAgent, machine: Parameters<OtherAgent['settings']>[0], at = 0) {
  const settings = agent.settings(machine)[at]
  if (!settings) throw new Error(`${agent.id} has no such file`)
  return settings
}

function valueIn(text: string, format: 'json' | 'toml'): unknown {
  return format === 'toml'
    ? parseToml(text.replace(/^\ufeff/, ''))
    : parseJson(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true })
}

/** Some for each; all of them are tried on texts, which costs no disk. */
const ON_DISK = [
  'nothing at all',
  'comments',
  'CRLF',
  'a mark at the beginning',
  'an entry made by hand',
] as const

describe.each(Object.values(each))('$id', agent => {
  test('connected and disconnected, every file is what it was, byte for byte', async () => {
    const { machine, home, connect, disconnect } = emptyMachine()
    const files = agent.settings(machine).filter(({ pieces }) => pieces.length > 0)
    for (const name of ON_DISK) {
      const before = files.map(({ path, format }) => {
        const content = (format === 'toml' ? NASTY_TOML : NASTY_JSON)[name] ?? ''
        writeFileSync(path, content)
        return content
      })
      await connect(agent)
      if (!name.includes('by hand')) expect(files.map(({ path }) => read(path))).not.toEqual(before)
      expect((await connect(agent)).changes, name).toEqual([])
      await disconnect(agent)
      expect(
        files.map(({ path }) => read(path)),
        name,
      ).toEqual(before)
    }
    expect(readdirSync(join(home.path, 'connections'))).toEqual([])
  })

  test('where there was no file, none is left', async () => {
    const { root, machine, connect, disconnect } = emptyMachine()
    await connect(agent)
    for (const { path, format, pieces } of agent.settings(machine)) {
      expect(existsSync(path)).toBe(pieces.length > 0)
      if (pieces.length > 0) expect(valueIn(read(path).replaceAll(root, ''), format)).toMatchSnapshot()
    }
    await disconnect(agent)
    for (const { path } of agent.settings(machine)) expect(existsSync(path)).toBe(false)
  })

  test('what somebody else wrote meanwhile stays, and only ours is taken out', async () => {
    const { machine, connect, disconnect } = emptyMachine()
    const { path, format } = fileOf(agent, machine)
    put(path, format === 'toml' ? 'a = 1\n' : '{\n  "a": 1\n}\n')
    await connect(agent)
    const theirs = format === 'toml' ? '\n[mcp_servers.other]\ncommand = "o"\n' : '// theirs\n'
    writeFileSync(path, read(path) + theirs)
    await disconnect(agent)
    expect(read(path)).toBe((format === 'toml' ? 'a = 1\n' : '{\n  "a": 1\n}\n') + theirs)
  })

  test('entries of a Reverie that was elsewhere are told, and brought up to date in their place', async () => {
    const { machine, home, connect, disconnect } = emptyMachine()
    const { path } = fileOf(agent, machine)
    const moved = { ...machine, program: ['/gone/bin/reverie'] }
    await connect(agent, moved)
    const state = async () => (await standings(home, machine)).find(({ agent: id }) => id === agent.id)
    expect(await state()).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('/gone/bin/reverie'),
    })
    await connect(agent)
    expect(read(path)).not.toContain('/gone/')
    expect(await state()).toMatchObject({ state: 'connected' })
    await disconnect(agent)
    expect(existsSync(path)).toBe(false)
    expect(await state()).toMatchObject({ state: 'unconnected' })
  })
})

test('Codex keeps its hooks in one place: where some are, ours go', async () => {
  const { machine, connect, disconnect } = emptyMachine()
  const hooks = fileOf(each.codex as OtherAgent, machine, 1).path
  await connect(each.codex as OtherAgent)
  const config = fileOf(each.codex as OtherAgent, machine).path
  expect(read(config)).toContain('[[hooks.Stop]]')
  put(hooks, '{ "hooks": { "Stop": [] } }')
  await connect(each.codex as OtherAgent)
  expect(read(config)).not.toContain('hooks.Stop')
  expect(read(config)).toContain('[mcp_servers.reverie]')
  expect(read(hooks)).toContain('hook codex stop')
  await disconnect(each.codex as OtherAgent)
  expect(read(hooks)).toBe('{ "hooks": { "Stop": [] } }')
  expect(existsSync(config)).toBe(false)
})

test('tables that Codex writes between ours are its own', async () => {
  const { machine, home, connect, disconnect } = emptyMachine()
  const { path } = fileOf(each.codex as OtherAgent, machine)
  put(path, 'a = 1\n')
  await connect(each.codex as OtherAgent)
  const trust = '[hooks.state."x:stop:0:0"]\ntrusted_hash = "abc"\n'
  writeFileSync(path, read(path).replace('# <<< reverie', `${trust}\n# <<< reverie`))
  // That is what it does once its owner has reviewed our hooks: nothing is wrong with them then.
  expect((await connect(each.codex as OtherAgent)).changes).toEqual([])
  expect((await standings(home, machine)).find(({ agent }) => agent === 'codex')?.state).toBe('connected')
  await connect(each.codex as OtherAgent, { ...machine, flags: ['--home', '/elsewhere'] })
  expect(parseToml(read(path))).toMatchObject({ hooks: { state: { 'x:stop:0:0': { trusted_hash: 'abc' } } } })
  await disconnect(each.codex as OtherAgent)
  expect(read(path)).toBe(`a = 1\n\n${trust}`)
})

test('what Codex was allowed to call is kept while it is connected, and leaves settings that it can read', async () => {
  const { machine, home, connect, disconnect } = emptyMachine()
  const codex = each.codex as OtherAgent
  const { path } = fileOf(codex, machine)
  const allowed = (tool: string) => `[mcp_servers.reverie.tools.${tool}]\napproval_mode = "approve"\n`
  const servers = () => (parseToml(read(path)) as { mcp_servers?: object }).mcp_servers
  const all = { tools: { memory_save: {}, memory_get: {}, memory_recall: {} }, enabled: false }
  const add = () => {
    const text = read(path)
      .replace('args = [ "mcp" ]\n', `$&enabled = false\n\n${allowed('memory_save')}`)
      .replace('# <<< reverie', `${allowed('memory_recall')}\n# <<< reverie`)
    writeFileSync(path, `${text}\n${allowed('memory_get')}`)
  }
  put(path, 'a = 1\n')
  await connect(codex)
  add()
  expect(await connect(codex)).toMatchObject({ changes: [], notes: [] })
  expect((await standings(home, machine)).find(({ agent }) => agent === 'codex')?.state).toBe('connected')
  const moved = { ...machine, program: ['/gone/bin/reverie'] }
  await connect(codex, moved)
  expect(servers()).toMatchObject({ reverie: { command: '/gone/bin/reverie', ...all } })
  expect((await connect(codex, moved)).changes).toEqual([])
  await disconnect(codex)
  expect(servers()).toBeUndefined()
  expect(read(path)).toBe('a = 1\n')
  // Nor is anything left without a record of it.
  await connect(codex)
  add()
  rmSync(home.path, { recursive: true })
  await disconnect(codex)
  expect(servers()).toBeUndefined()
  // What was left of a server that is gone is no entry that somebody made.
  put(path, `a = 1\n\n${allowed('memory_get')}`)
  expect((await connect(codex)).notes).toEqual([])
  expect(servers()).toMatchObject({ reverie: { args: ['mcp'], tools: { memory_get: {} } } })
  // Codex takes a server out with the mark above it.
  writeFileSync(path, read(path).replace(/# >>> reverie[\s\S]*?(?=\[\[hooks)/, ''))
  await disconnect(codex)
  expect(read(path).trim()).toBe('a = 1')
})

test.each(['cursor', 'gemini', 'opencode', 'vscode'])(
  'what was added to our entry for %s stays',
  async name => {
    const { machine, home, connect, disconnect } = emptyMachine()
    const agent = each[name] as OtherAgent
    const { path } =
      agent.settings(machine).findLast(({ pieces }) => pieces.length > 0) ?? fileOf(agent, machine)
    await connect(agent)
    writeFileSync(
      path,
      read(path).replace('"reverie": {', '$&\n      // so that it asks\n      "enabled": false,'),
    )
    expect((await connect(agent)).changes).toEqual([])
    expect((await standings(home, machine)).find(({ agent: id }) => id === agent.id)?.state).toBe('connected')
    await connect(agent, { ...machine, flags: ['--home', '/elsewhere'] })
    expect(read(path)).toContain('// so that it asks\n      "enabled": false,')
    expect(read(path)).toContain('/elsewhere')
    // A record that is lost makes it nobody else's.
    rmSync(home.path, { recursive: true })
    expect((await connect(agent, { ...machine, flags: ['--home', '/elsewhere'] })).notes).toEqual([])
    await connect(agent)
    expect(read(path)).toContain('"enabled": false,')
    await disconnect(agent)
  },
)

test('what somebody added to a hook of ours stays; where OpenCode keeps its servers elsewhere now, ours follows', async () => {
  const { machine, connect, disconnect } = emptyMachine()
  const { path } = fileOf(each.claudeCode as OtherAgent, machine)
  await connect(each.claudeCode as OtherAgent)
  writeFileSync(path, read(path).replace('"Stop": [\n      {', '$&\n        "matcher": "mine",'))
  await connect(each.claudeCode as OtherAgent, { ...machine, program: ['/moved/reverie'] })
  expect(valueIn(read(path), 'json')).toMatchObject({
    hooks: { Stop: [{ matcher: 'mine', hooks: [{ command: '/moved/reverie hook claude-code stop' }] }] },
  })
  const opencode = each.opencode as OtherAgent
  const settings = fileOf(opencode, machine).path
  await connect(opencode)
  const before = '{ "mcp": { "servers": { "a": { "type": "local", "command": ["a"] } } } }'
  put(
    settings,
    read(settings).replace('"reverie": {', '"servers": { "a": { "type": "local", "command": ["a"] } },\n$&'),
  )
  await connect(opencode)
  expect(valueIn(read(settings), 'json')).toEqual({
    mcp: { servers: { a: expect.anything(), reverie: expect.anything() } },
  })
  await disconnect(opencode)
  expect(valueIn(read(settings), 'json')).toEqual(valueIn(before, 'json'))
})

test('what a program has written anew without remarks is still known for ours', async () => {
  const { machine, home, connect, disconnect } = emptyMachine()
  const codex = each.codex as OtherAgent
  const { path } = fileOf(codex, machine)
  const theirs =
    'a = 1\nnote = """\n[[hooks.Stop]]\n"""\n\n[mcp_servers.other]\ncommand = "reverie"\nargs = ["mcp"]\n'
  const bye = '\n# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say bye"\n'
  put(path, theirs)
  await connect(codex)
  const ours = read(path)
  const rewrite = () => writeFileSync(path, read(path).replaceAll(/^#.*reverie.*\n/gm, '') + bye)
  rewrite()
  expect(read(path)).not.toContain('>>>')
  expect((await standings(home, machine)).find(({ agent }) => agent === 'codex')?.state).toBe('connected')
  expect(await connect(codex)).toMatchObject({ notes: [], changes: [] })
  // Nor is there anything to do about what stands twice, but for the second.
  writeFileSync(
    path,
    read(path) + ours.slice(ours.indexOf('[[hooks.Stop]]', theirs.length)).replace(/^#.*\n/gm, ''),
  )
  expect(read(path).match(/hook codex stop/g)).toHaveLength(2)
  await connect(codex)
  expect(read(path).match(/hook codex stop/g)).toHaveLength(1)
  writeFileSync(path, ours)
  rewrite()
  await disconnect(codex)
  expect(read(path).replace(/\n{3}/, '\n\n')).toBe(`${theirs}${bye}`)
  // Without a record of it, the server is left where it differs from what would be written.
  await connect(codex)
  rmSync(home.path, { recursive: true })
  writeFileSync(
    path,
    read(path)
      .replaceAll(/^#.*reverie.*\n/gm, '')
      .replace('args = [ "mcp" ]', 'args = ["x"]'),
  )
  await disconnect(codex)
  expect(parseToml(read(path))).toMatchObject({
    hooks: { Stop: [{ hooks: [{ command: 'say bye' }] }] },
    mcp_servers: { reverie: { args: ['x'] } },
  })
  expect(read(path)).not.toContain('hook codex')
})

test('hooks of ours that somebody put among theirs are taken out alone', async () => {
  const { machine, connect, disconnect } = emptyMachine()
  const { path } = fileOf(each.claudeCode as OtherAgent, machine)
  await connect(each.claudeCode as OtherAgent)
  const ours = JSON.stringify({ type: 'command', command: `'${machine.program[0]}' hook claude-code stop` })
  put(
    path,
    `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},${ours},{"type":"command","command":"b"}]}]}}`,
  )
  await disconnect(each.claudeCode as OtherAgent)
  expect(read(path)).toBe(
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"b"}]}]}}',
  )
})

test('what cannot be edited is left alone, with a sentence', async () => {
  const { root, machine, connect } = emptyMachine()
  const agent = each.claudeCode as OtherAgent
  const { path } = fileOf(agent, machine)
  const refused = async (prepare: () => void, sentence: RegExp) => {
    rmSync(path, { force: true, recursive: true })
    prepare()
    await expect(connect(agent)).rejects.toThrow(sentence)
    await expect(connect(agent)).rejects.toThrow(/Nothing was written\.$/)
  }
  await refused(() => put(path, '{ "a": 1,, }'), /not valid JSON \(line 1: /)
  await refused(() => put(path, '{\n "a": "b\n}'), /line 2/)
  await refused(() => put(path, '[1]'), /holds no object/)
  await refused(() => put(path, '{ "hooks": [] }'), /"hooks" is not an object/)
  await refused(() => put(path, '{ "hooks": { "Stop": {} } }'), /"hooks.Stop" is not a list/)
  await refused(() => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), /UTF-8/)
  await refused(() => mkdirSync(path), /not a file/)
  await refused(() => symlinkSync(join(root, 'nowhere'), path), /link to nothing/)
  put(join(root, 'outside.json'), '{}')
  await refused(() => symlinkSync(join(root, 'outside.json'), path), /symbolic link out of your home/)
  await refused(() => {
    put(path, '{}')
    chmodSync(path, 0o400)
  }, /read-only/)
  const toml = fileOf(each.codex as OtherAgent, machine).path
  put(toml, 'a = = 1')
  await expect(connect(each.codex as OtherAgent)).rejects.toThrow(/not valid TOML/)
  put(toml, 'mcp_servers = { a = { command = "x" } }\n')
  await expect(connect(each.codex as OtherAgent)).rejects.toThrow(
    /cannot be added to in the way it is written/,
  )
})

test('a link within the home is followed, and stays a link', async () => {
  const { machine, connect, disconnect } = emptyMachine()
  const agent = each.gemini as OtherAgent
  const { path } = fileOf(agent, machine)
  const dotfile = join(machine.home, 'dotfiles', 'gemini.json')
  put(dotfile, '{"a":1}')
  chmodSync(dotfile, 0o640)
  symlinkSync(dotfile, path)
  await connect(agent)
  expect(read(dotfile)).toContain('reverie')
  expect(statSync(dotfile).mode & 0o777).toBe(0o640)
  await disconnect(agent)
  expect(read(dotfile)).toBe('{"a":1}')
  expect(statSync(path).isFile()).toBe(true)
})

test('a file that changes between the plan and the deed is not written over', async () => {
  const { machine, home } = emptyMachine()
  const { planConnect } = await import('./connect.ts')
  const agent = each.vscode as OtherAgent
  const { path } = fileOf(agent, machine)
  put(path, '{}')
  const plan = await planConnect({ agent, machine, home })
  writeFileSync(path, '{"mine":1}')
  await expect(plan.apply()).rejects.toThrow(/changed by somebody else/)
  expect(read(path)).toBe('{"mine":1}')
})

test('an entry that was made by hand is said and left alone', async () => {
  const { machine, connect, disconnect } = emptyMachine()
  const agent = each.vscode as OtherAgent
  const { path } = fileOf(agent, machine)
  const mine = '{ "servers": { "reverie": { "command": "mine" } } }'
  put(path, mine)
  const { changes, notes } = await connect(agent)
  expect(changes).toEqual([])
  expect(notes).toEqual([expect.stringContaining('servers.reverie')])
  await disconnect(agent)
  expect(read(path)).toBe(mine)
})

test('with another home, or none, what is ours is still found and taken out', async () => {
  const { machine, home, connect, disconnect } = emptyMachine()
  const agent = each.gemini as OtherAgent
  const { path } = fileOf(agent, machine)
  put(path, '{ "a": 1 }')
  await connect(agent)
  rmSync(home.path, { recursive: true })
  expect(await connect(agent)).toMatchObject({ changes: [], notes: [] })
  rmSync(home.path, { recursive: true })
  await disconnect(agent)
  expect(valueIn(read(path), 'json')).toEqual({ a: 1, mcpServers: {}, hooks: expect.anything() })
  expect(read(path)).not.toContain('reverie')
})

test('hooks that their owner has switched off are said, and stay so', async () => {
  const { machine, connect } = emptyMachine()
  const off = {
    claudeCode: '{ "disableAllHooks": true }',
    codex: '[features]\ncodex_hooks = false\n',
    gemini: '{ "hooksConfig": { "enabled": false } }',
  }
  for (const [name, text] of Object.entries(off)) {
    const agent = each[name] as OtherAgent
    const { path } = fileOf(agent, machine)
    put(path, text)
    expect((await connect(agent)).notes, name).toEqual([expect.stringContaining('switches all hooks off')])
    expect(read(path)).toContain(name === 'codex' ? text : text.slice(0, -2))
  }
})

test('an agent that is not here is not connected', async () => {
  const { machine, connect } = emptyMachine()
  rmSync(join(machine.home, '.cursor'), { recursive: true })
  await expect(connect(each.cursor as OtherAgent)).rejects.toThrow(/Cursor was not found on this machine/)
})
