import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { projectSlug } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { History } from '../../session/index.ts'
import { freshHome, inShort } from './import.fixture.ts'
import { NoSuchSource } from './import.ts'
import {
  addOpenCodeMessage,
  CHATGPT_CONVERSATION,
  CLAUDE_SESSION,
  CODEX_SESSION,
  chatGptConversation,
  claudeLines,
  claudeReply,
  claudeUser,
  codexLines,
  makeChatGpt,
  makeClaudeCode,
  makeCodex,
  makeNanobot,
  makeOpenCodeDatabase,
  makeOpenCodeStorage,
  nanobotLines,
  OPENCODE_SESSION,
  openCodeMessages,
  treeOf,
  UUID,
  writeLines,
  writeText,
} from './sources.fixture.ts'

const NOTHING_NEW = { added: 0, updated: 0, unchanged: 0 }

function setUp() {
  const fresh = freshHome()
  const source = join(fresh.root, 'source')
  fs.mkdirSync(source)
  return { ...fresh, source }
}

const transcriptIn = (source: string, cwd: string) =>
  join(source, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), `${CLAUDE_SESSION}.jsonl`)

test('a session keeps its times, its name and its cost, and says where it is from', async () => {
  const { run, source, directory, sessions, project } = setUp()
  makeClaudeCode(source, directory)
  await run('claude-code', source)
  const [listed] = await sessions.list()
  expect(listed).toMatchObject({
    id: `claude-code-${CLAUDE_SESSION}`,
    title: 'Build fails: missing header',
    startedAt: '2026-03-01T12:00:01.000Z',
    lastAt: '2026-03-01T12:00:10.000Z',
    source: 'claude-code',
    project: project.root,
    model: 'anthropic/claude-opus-4-5',
    tokens: { in: 2_220, out: 130 },
  })
  const { meta } = await sessions.load(`claude-code-${CLAUDE_SESSION}`)
  const { size: bytes, mtimeMs } = fs.statSync(transcriptIn(source, directory))
  expect(meta.imported).toEqual({ path: transcriptIn(source, directory), bytes, mtimeMs })
})

test('a source that grows: only what is new is appended, in order, and nothing twice', async () => {
  const { run, source, directory, messagesOf } = setUp()
  makeClaudeCode(source, directory)
  await run('claude-code', source)
  const before = await messagesOf(`claude-code-${CLAUDE_SESSION}`)
  // Claude Code writes lines again that it has written, when a session is taken up.
  const again = claudeLines(directory)
  const more = [
    claudeUser(11, directory, 'Thanks'),
    claudeReply(12, directory, { type: 'text', text: 'Bye' }),
  ]
  fs.appendFileSync(
    transcriptIn(source, directory),
    [...again, ...more].map(line => `${JSON.stringify(line)}\n`).join(''),
  )
  expect((await run('claude-code', source)).sessions).toEqual({ added: 0, updated: 1, unchanged: 0 })
  const after = await messagesOf(`claude-code-${CLAUDE_SESSION}`)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(inShort)).toEqual(['user/person: Thanks', 'assistant/model: Bye'])
})

test('a session that went on in another directory is one session, and is not read again', async () => {
  const { run, source, directory, messagesOf, home } = setUp()
  writeLines(transcriptIn(source, directory), [claudeUser(1, directory, 'Here')])
  writeLines(transcriptIn(source, '/elsewhere'), [
    claudeUser(1, directory, 'Here'),
    claudeUser(2, '/elsewhere', 'There'),
  ])
  const there = () => run('claude-code', source, { isChosen: true })
  await there()
  expect((await messagesOf(`claude-code-${CLAUDE_SESSION}`)).map(inShort)).toEqual([
    'user/person: Here',
    'user/person: There',
  ])
  const before = treeOf(home.projects)
  expect((await there()).sessions).toEqual({ ...NOTHING_NEW, unchanged: 2 })
  expect(treeOf(home.projects)).toEqual(before)
})

test('a last line without an end is left for the next import, and told when nobody goes on with it', async () => {
  const { run, source, directory, messagesOf } = setUp()
  const file = transcriptIn(source, directory)
  writeLines(file, [claudeUser(1, directory, 'Hello')])
  const line = `${JSON.stringify(claudeUser(2, directory, 'And more'))}\n`
  fs.appendFileSync(file, line.slice(0, 40))
  expect(await run('claude-code', source)).toMatchObject({ sessions: { added: 1 }, unreadable: [] })
  const stuck = await run('claude-code', source)
  expect(stuck).toMatchObject({
    sessions: { unchanged: 1, updated: 0 },
    unreadable: [{ file, reason: expect.stringContaining('line 2 has no end') }],
  })
  expect((await run('claude-code', source)).unreadable).toEqual(stuck.unreadable)
  fs.appendFileSync(file, line.slice(40))
  expect(await run('claude-code', source)).toMatchObject({ sessions: { updated: 1 }, unreadable: [] })
  expect(await run('claude-code', source)).toMatchObject({ sessions: { unchanged: 1 }, unreadable: [] })
  expect((await messagesOf(`claude-code-${CLAUDE_SESSION}`)).map(inShort)).toEqual([
    'user/person: Hello',
    'user/person: And more',
  ])
})

test('bad lines are told with their number, every time, and lose no others', async () => {
  const { run, source, directory, messagesOf, home } = setUp()
  const file = writeText(
    transcriptIn(source, directory),
    [
      JSON.stringify(claudeUser(1, directory, 'One')),
      '{oops',
      '[]',
      JSON.stringify(claudeUser(2, directory, 'Two')),
      '',
    ].join('\n'),
  )
  const told = [
    { file, reason: expect.stringContaining('line 2: it is not JSON') },
    { file, reason: 'line 3: it is not an object' },
  ]
  expect(await run('claude-code', source)).toMatchObject({ sessions: { added: 1 }, unreadable: told })
  expect(await messagesOf(`claude-code-${CLAUDE_SESSION}`)).toHaveLength(2)
  const before = treeOf(home.projects)
  expect(await run('claude-code', source)).toMatchObject({ sessions: { unchanged: 1 }, unreadable: told })
  expect(treeOf(home.projects)).toEqual(before)
})

const APPENDER = `
  const { openSync, writeSync } = require('node:fs')
  const [, file, cwd] = process.argv
  const out = openSync(file, 'a')
  const pause = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  for (let n = 1; n <= 400; n++) {
    const uuid = '00000000-0000-4000-8000-' + String(n).padStart(12, '0')
    const line = JSON.stringify({ type: 'user', uuid, cwd, timestamp: new Date().toISOString(), message: { content: 'Message ' + n } }) + '\\n'
    const cut = n % 3 === 0 ? Math.floor(line.length / 2) : line.length
    writeSync(out, line.slice(0, cut))
    if (cut < line.length) { pause(3); writeSync(out, line.slice(cut)) }
    if (n % 5 === 0) pause(2)
  }
`

test('importing again and again while another process writes loses nothing and doubles nothing', async () => {
  const { run, source, directory, messagesOf } = setUp()
  const file = writeText(transcriptIn(source, directory), '')
  const child = spawn(process.execPath, ['-e', APPENDER, file, directory], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  let imports = 0
  while (child.exitCode === null) {
    const { unreadable } = await run('claude-code', source)
    expect(unreadable.filter(({ reason }) => !reason.includes('has no end'))).toEqual([])
    imports++
    await new Promise(done => setTimeout(done, 1))
  }
  expect((await ended)[0]).toBe(0)
  await run('claude-code', source)
  expect(imports).toBeGreaterThan(3)
  const texts = (await messagesOf(`claude-code-${CLAUDE_SESSION}`)).map(inShort)
  expect(texts).toEqual(Array.from({ length: 400 }, (_, n) => `user/person: Message ${n + 1}`))
})

test('what was deleted here does not come back, also when its source has changed', async () => {
  const { run, source, directory, sessions, project, home } = setUp()
  makeClaudeCode(source, directory)
  await run('claude-code', source)
  await sessions.delete(`claude-code-${CLAUDE_SESSION}`)
  using memory = await Memory.open({ home, project })
  await memory.forget('user_prefers-tabs.md')
  const unchanged = { sessions: { ...NOTHING_NEW, unchanged: 1 }, memories: { ...NOTHING_NEW, unchanged: 2 } }
  expect(await run('claude-code', source)).toMatchObject(unchanged)
  fs.appendFileSync(transcriptIn(source, directory), `${JSON.stringify(claudeUser(50, directory, 'More'))}\n`)
  fs.appendFileSync(join(transcriptIn(source, directory), '..', 'memory', 'user_tabs.md'), '\nReally.\n')
  expect(await run('claude-code', source)).toMatchObject(unchanged)
  expect(await sessions.ids()).toEqual([])
  expect((await memory.list()).map(({ file }) => file)).toEqual(['project_deploys-on-friday.md'])
})

test('memories are as old as they were, and follow their source', async () => {
  const { run, source, directory, project, home } = setUp()
  makeClaudeCode(source, directory)
  const file = join(transcriptIn(source, directory), '..', 'memory', 'user_tabs.md')
  fs.utimesSync(file, new Date('2026-02-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z'))
  expect((await run('claude-code', source)).memories).toEqual({ ...NOTHING_NEW, added: 2 })
  using memory = await Memory.open({ home, project })
  expect(await memory.get('project_deploys-on-friday.md')).toMatchObject({
    origin: 'import',
    updated: '2026-01-05T10:00:00Z',
    body: 'We deploy on Fridays, because everybody is there.',
  })
  expect(await memory.get('user_prefers-tabs.md')).toMatchObject({ updated: '2026-02-01T00:00:00Z' })
  writeText(
    file,
    '---\nname: Prefers tabs\ndescription: Indents with tabs\ntype: user\n---\n\nUse tabs, always.\n',
  )
  expect((await run('claude-code', source)).memories).toEqual({ added: 0, updated: 1, unchanged: 1 })
  expect(await memory.get('user_prefers-tabs.md')).toMatchObject({ body: 'Use tabs, always.' })
  writeText(
    file,
    '---\nname: Tabs it is\ndescription: Indents with tabs\ntype: feedback\n---\n\nUse tabs, always.\n',
  )
  expect((await run('claude-code', source)).memories).toEqual({ added: 0, updated: 1, unchanged: 1 })
  expect(await memory.get('user_prefers-tabs.md')).toMatchObject({ name: 'Tabs it is', type: 'feedback' })
  expect((await run('claude-code', source)).memories).toEqual({ ...NOTHING_NEW, unchanged: 2 })
})

test('an import never writes over what its owner remembered here', async () => {
  const { run, source, directory, project, home } = setUp()
  makeClaudeCode(source, directory)
  using memory = await Memory.open({ home, project })
  await memory.save({ type: 'user', name: 'Prefers tabs', description: 'Mine', body: 'Tabs of four.' })
  expect((await run('claude-code', source)).memories).toEqual({ ...NOTHING_NEW, added: 2 })
  expect(await memory.get('user_prefers-tabs.md')).toMatchObject({ body: 'Tabs of four.', origin: 'owner' })
  expect(await memory.get('user_prefers-tabs-from-claude-code.md')).toMatchObject({ body: 'Use tabs.' })
})

test('what is refused is told with the reason, and tried again', async () => {
  const { run, source, directory, project, home } = setUp()
  const memories = join(transcriptIn(source, directory), '..', 'memory')
  const memory = (name: string, body: string, type = 'reference') =>
    writeText(join(memories, name), `---\nname: ${name}\ndescription: d\ntype: ${type}\n---\n\n${body}\n`)
  const secret = memory('secret.md', `ghp_${'a1B2'.repeat(9)}`)
  const code = memory(
    'code.md',
    'commit 3f2a9b1c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a\nAuthor: A <a@b.c>\nDate: Mon\n\n    x\n',
  )
  const type = memory('type.md', 'x', 'report')
  const notes = writeText(join(memories, 'notes.md'), '# Notes\n')
  const outside = writeText(
    join(source, '..', 'outside.md'),
    '---\nname: o\ndescription: o\ntype: user\n---\nsecret\n',
  )
  fs.symlinkSync(outside, join(memories, 'link.md'))
  fs.mkdirSync(join(memories, 'logs'))
  const report = await run('claude-code', source)
  expect(report.memories).toEqual(NOTHING_NEW)
  expect(Object.fromEntries(report.unreadable.map(({ file, reason }) => [file, reason]))).toEqual({
    [secret]: expect.stringContaining('GitHub'),
    [code]: expect.stringContaining('git history'),
    [type]: expect.stringContaining('its type is "report"'),
    [notes]: expect.stringContaining('does not begin with frontmatter'),
    [join(memories, 'link.md')]: expect.stringContaining('symbolic link out of'),
  })
  expect(report.leftOut).toEqual([{ what: 'directories below a memory directory', count: 1 }])
  expect((await run('claude-code', source, { dryRun: true })).unreadable).toEqual(report.unreadable)
  expect((await run('claude-code', source)).unreadable).toEqual(report.unreadable)
  using here = await Memory.open({ home, project })
  expect(await here.list()).toEqual([])
})

test('by the directory: to its project here, to one of its own, or to the one at hand', async () => {
  const { run, source, directory, root, home, project } = setUp()
  const other = join(root, 'other-place')
  fs.mkdirSync(other)
  const [gone, alsoGone] = ['/nowhere/one', '/nowhere/two']
  for (const [n, cwd] of [other, gone].entries())
    writeLines(join(source, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), `s${n}.jsonl`), [
      claudeUser(1, cwd, 'Hi'),
    ])
  await run('claude-code', source)
  const filesOf = (slug: string) =>
    fs.existsSync(join(home.projects, slug, 'sessions'))
      ? fs.readdirSync(join(home.projects, slug, 'sessions'))
      : []
  expect(filesOf(projectSlug(fs.realpathSync(other)))).toEqual(['claude-code-s0.jsonl'])
  expect(filesOf(projectSlug(gone))).toEqual(['claude-code-s1.jsonl'])
  expect(filesOf(project.slug)).toEqual([])

  const single = join(root, 'single')
  writeLines(join(single, 'projects', '-nowhere-two', 's2.jsonl'), [claudeUser(1, alsoGone, 'Hi')])
  const report = await run('claude-code', single)
  expect(report.notes).toEqual([`${alsoGone} is not on this machine: what is about it goes to ${directory}.`])
  expect(filesOf(project.slug)).toEqual(['claude-code-s2.jsonl'])
  // Wherever the next import is run, it is the same session.
  const elsewhere = { slug: 'elsewhere-1', root: other }
  expect((await run('claude-code', single, { project: elsewhere })).sessions).toEqual({
    ...NOTHING_NEW,
    unchanged: 1,
  })
  expect((await run('claude-code', source, { project: elsewhere, isChosen: true })).sessions.added).toBe(2)
  expect(filesOf('elsewhere-1')).toHaveLength(2)
})

test('whichever part of ~/.claude it is pointed at', async () => {
  const { source, directory, ...fresh } = setUp()
  makeClaudeCode(source, directory)
  const file = transcriptIn(source, directory)
  const run = (from: string) => fresh.run('claude-code', from)
  expect(await run(file)).toMatchObject({ sessions: { added: 1 }, memories: NOTHING_NEW })
  expect(await run(join(file, '..', 'memory'))).toMatchObject({
    sessions: NOTHING_NEW,
    memories: { added: 2 },
  })
  for (const from of [join(file, '..'), join(source, 'projects'), source])
    expect(await run(from), from).toMatchObject({
      sessions: { ...NOTHING_NEW, unchanged: 1 },
      memories: { ...NOTHING_NEW, unchanged: 2 },
      leftOut: [{ what: 'transcripts of sub-agents', count: 2 }],
    })
})

test('Codex: both forms, archives, compressed files, and sub-agents left out', async () => {
  const { run, source, directory, messagesOf, sessions } = setUp()
  makeCodex(source, directory)
  const report = await run('codex', source)
  expect(report).toMatchObject({
    sessions: { added: 2 },
    unreadable: [],
    leftOut: [{ what: 'transcripts of sub-agents', count: 1 }],
  })
  expect(await messagesOf(`codex-${CODEX_SESSION}`)).toHaveLength(9)
  // Codex compresses what it has archived, and keeps names beside the sessions.
  const file = join(source, 'sessions/2026/02/01', `rollout-2026-02-01T09-00-00-${CODEX_SESSION}.jsonl`)
  fs.rmSync(file)
  const more = [
    ...codexLines(directory),
    {
      timestamp: '2026-02-01T09:01:00Z',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: 'More' },
    },
  ]
  fs.writeFileSync(
    join(source, 'archived_sessions', `rollout-2026-02-01T09-00-00-${CODEX_SESSION}.jsonl.zst`),
    zstdCompressSync(more.map(line => `${JSON.stringify(line)}\n`).join('')),
  )
  writeLines(join(source, 'session_index.jsonl'), [
    { id: 'c3c4b301-27c8-4c70-b6e4-46b99fdf0236', thread_name: 'An old one', updated_at: '' },
  ])
  expect((await run('codex', source)).sessions).toEqual({ added: 0, updated: 1, unchanged: 1 })
  expect((await messagesOf(`codex-${CODEX_SESSION}`)).map(inShort).at(-1)).toBe('user/person: More')
  expect((await sessions.list()).map(({ title }) => title)).toContain('Renaming the flag')
})

test('nanobot: sessions, notes, history, and its own files', async () => {
  const { run, source, home, project, messagesOf } = setUp()
  makeNanobot(source)
  const report = await run('nanobot', source)
  expect(report).toMatchObject({
    sessions: { added: 2 },
    memories: { added: 3 },
    history: { added: 2, unchanged: 0 },
    unreadable: [],
    leftOut: [{ what: 'files that hold nothing but their template', count: 1 }],
  })
  expect(fs.readFileSync(join(home.path, 'SOUL.md'), 'utf8')).toBe('# Soul\n\nI am calm and brief.\n')
  const history = new History(join(home.projects, project.slug, 'memory'))
  expect(await history.entries()).toEqual([
    { cursor: 1, timestamp: '2026-01-01 08:05', content: '- The owner asked about the weather' },
    { cursor: 2, timestamp: '2026-01-02 08:05', content: '- Nothing in the calendar' },
  ])
  using memory = await Memory.open({ home, project })
  expect((await memory.list()).map(({ file, scope, type }) => [file, scope, type]).toSorted()).toEqual([
    ['project_project-context.md', 'project', 'project'],
    ['user_user-information.md', 'user', 'user'],
  ])
  const ids = fs
    .readdirSync(join(home.projects, project.slug, 'sessions'))
    .map(name => name.replace('.jsonl', ''))
  const scheduled = ids.find(id => id.includes('cron')) ?? ''
  expect((await messagesOf(scheduled)).map(inShort)[0]).toBe('user/schedule: Look at the calendar')
  // nanobot drops old messages from its file: what is here stays, and what is new comes.
  const file = join(source, 'workspace', 'sessions', 'telegram_42.jsonl')
  const [head, ...lines] = nanobotLines()
  writeLines(file, [
    head,
    ...lines.slice(2),
    { role: 'user', content: 'Still there?', timestamp: '2026-01-03T08:00:00' },
  ])
  expect((await run('nanobot', join(source, 'workspace'))).sessions).toEqual({
    added: 0,
    updated: 1,
    unchanged: 1,
  })
  const chat = ids.find(id => id.includes('telegram')) ?? ''
  expect(await messagesOf(chat)).toHaveLength(6)
})

test('nanobot: a USER.md with a secret in it is refused and listed', async () => {
  const { run, source, home } = setUp()
  makeNanobot(source)
  writeText(join(source, 'workspace', 'USER.md'), '# User\n\npassword = hunter2hunter2\n')
  const { unreadable } = await run('nanobot', source)
  expect(unreadable).toMatchObject([
    { file: expect.stringContaining('USER.md'), reason: expect.stringContaining('password') },
  ])
  expect(fs.existsSync(join(home.path, 'USER.md'))).toBe(false)
})

test('nanobot: SOUL.md and USER.md never replace those that are here', async () => {
  const { run, source, home, project } = setUp()
  makeNanobot(source)
  writeText(join(source, 'workspace', 'USER.md'), '# User\n\nLikes short answers.\n')
  writeText(join(home.path, 'SOUL.md'), 'Mine.\n')
  const report = await run('nanobot', source)
  expect(report.memories.added).toBe(4)
  expect(fs.readFileSync(join(home.path, 'SOUL.md'), 'utf8')).toBe('Mine.\n')
  expect(fs.readFileSync(join(home.path, 'USER.md'), 'utf8')).toBe('# User\n\nLikes short answers.\n')
  using memory = await Memory.open({ home, project })
  expect(await memory.get('feedback_soul-of-nanobot.md')).toMatchObject({ scope: 'user', origin: 'import' })
  fs.rmSync(join(home.path, 'USER.md'))
  writeText(join(source, 'workspace', 'USER.md'), '# User\n\nLikes long answers.\n')
  expect((await run('nanobot', source)).memories).toMatchObject({ added: 0, updated: 0 })
  expect(fs.existsSync(join(home.path, 'USER.md'))).toBe(false)
})

test('OpenCode: files, a database, and both', async () => {
  const { run, source, directory, messagesOf, sessions } = setUp()
  makeOpenCodeStorage(source, directory)
  const id = `opencode-${OPENCODE_SESSION}`
  expect(await run('opencode', source)).toMatchObject({
    sessions: { added: 1 },
    leftOut: [{ what: 'sessions of sub-agents', count: 1 }],
  })
  expect(await messagesOf(id)).toHaveLength(4)
  expect((await sessions.list())[0]).toMatchObject({
    title: 'Reading a file',
    tokens: { in: 115, out: 27 },
    usd: 0.02,
  })
  expect((await run('opencode', join(source, 'storage'))).sessions).toEqual({ ...NOTHING_NEW, unchanged: 1 })
  const db = makeOpenCodeDatabase(source, directory)
  expect((await run('opencode', source)).sessions).toEqual({ ...NOTHING_NEW, unchanged: 1 })
  const at = Date.UTC(2026, 0, 16)
  addOpenCodeMessage(db, {
    id: 'msg_003',
    info: { role: 'user', time: { created: at } },
    parts: [{ id: 'prt_007', data: { type: 'text', text: 'Thanks' } }],
  })
  // While OpenCode runs, the newest is in the log beside the database.
  const before = treeOf(source)
  expect(Object.keys(before)).toContain('opencode.db-wal')
  expect((await run('opencode', source)).sessions).toEqual({ added: 0, updated: 1, unchanged: 0 })
  expect((await messagesOf(id)).map(inShort).at(-1)).toBe('user/person: Thanks')
  expect(treeOf(source)).toEqual(before)
  db.close()
  const closed = treeOf(source)
  expect((await run('opencode', join(source, 'opencode.db'))).sessions).toEqual({
    ...NOTHING_NEW,
    unchanged: 1,
  })
  expect(treeOf(source)).toEqual(closed)
})

test('OpenCode: a reply that is being written waits until it is whole, or has been given up', async () => {
  const { run, source, directory, messagesOf } = setUp()
  const now = () => new Date('2026-01-20T12:00:00Z')
  const [asked] = openCodeMessages()
  const reply = (text: string, done: boolean) => ({
    id: 'msg_002',
    info: {
      role: 'assistant',
      time: { created: now().getTime() - 60_000, ...(done && { completed: now().getTime() }) },
    },
    parts: [{ id: 'prt_003', data: { type: 'text', text } }],
  })
  const write = (...messages: ReturnType<typeof reply>[]) =>
    makeOpenCodeStorage(source, directory, [...(asked ? [asked] : []), ...messages])
  const texts = async () => (await messagesOf(`opencode-${OPENCODE_SESSION}`)).map(inShort).slice(1)
  write(reply('It sa', false))
  expect(await run('opencode', source, { now })).toMatchObject({ sessions: { added: 1 }, unreadable: [] })
  expect(await texts()).toEqual([])
  write(reply('It says hello.', true))
  await run('opencode', source, { now })
  expect(await texts()).toEqual(['assistant/model: It says hello.'])
})

test('OpenCode: a database of another form, or none at all, is told', async () => {
  const { run, source } = setUp()
  const file = writeText(join(source, 'opencode.db'), 'not a database, but long enough to be looked at')
  expect((await run('opencode', source)).unreadable).toEqual([
    { file, reason: expect.stringContaining('cannot be read') },
  ])
  fs.rmSync(file)
  const db = makeOpenCodeDatabase(source, '/x', [])
  db.exec('ALTER TABLE part RENAME COLUMN data TO content')
  db.close()
  expect((await run('opencode', source)).unreadable).toEqual([
    { file, reason: expect.stringContaining('its table part has no data') },
  ])
})

test('ChatGPT: an export, a newer export, and what is none', async () => {
  const { run, source, messagesOf, root } = setUp()
  makeChatGpt(source)
  const id = `chatgpt-${CHATGPT_CONVERSATION}`
  expect((await run('chatgpt', source)).sessions).toEqual({ ...NOTHING_NEW, added: 1 })
  expect(await messagesOf(id)).toHaveLength(7)
  const newer = chatGptConversation() as {
    current_node: string
    update_time: number
    mapping: Record<string, object>
  }
  newer.mapping.m10 = {
    id: 'm10',
    parent: 'm9',
    message: { id: 'm10', author: { role: 'user' }, content: { content_type: 'text', parts: ['Thanks'] } },
  }
  newer.current_node = 'm10'
  newer.update_time += 60
  const second = join(root, 'second')
  makeChatGpt(second, [newer, { id: 'broken' }, { title: 'no id' }])
  fs.renameSync(join(second, 'conversations.json'), join(second, 'conversations-000.json'))
  const file = join(second, 'conversations-000.json')
  expect(await run('chatgpt', second)).toMatchObject({
    sessions: { added: 0, updated: 1, unchanged: 0 },
    unreadable: [
      { file, reason: 'conversation 2: it has no messages (mapping)' },
      { file, reason: 'conversation 3: it has no id' },
    ],
  })
  expect((await messagesOf(id)).map(inShort).at(-1)).toBe('user/person: Thanks')
  const other = writeText(join(root, 'other.json'), '{"not": "a list"}')
  expect((await run('chatgpt', other)).unreadable).toEqual([
    { file: other, reason: 'it is not a list of conversations' },
  ])
  await expect(run('chatgpt', writeText(join(root, 'export.zip'), 'PK'))).rejects.toThrow(/Unpack it/)
})

test('a source that is not there, and one with nothing in it', async () => {
  const { run, source, home, root } = setUp()
  for (const agent of ['claude-code', 'codex', 'nanobot', 'opencode', 'chatgpt'] as const) {
    await expect(run(agent, join(root, 'gone'))).rejects.toThrow(NoSuchSource)
    await expect(run(agent, join(root, 'gone'))).rejects.toThrow(/gone.*--from/)
    expect(await run(agent, source)).toMatchObject({
      sessions: NOTHING_NEW,
      memories: NOTHING_NEW,
      unreadable: [],
    })
  }
  expect(fs.existsSync(join(home.path, 'projects'))).toBe(false)
})

test('what is no file, or may not be read, is told, and the rest is read', async () => {
  const { run, source, directory } = setUp()
  const project = join(transcriptIn(source, directory), '..')
  writeLines(join(project, 'good.jsonl'), [claudeUser(1, directory, 'Hi')])
  fs.mkdirSync(join(project, 'directory.jsonl'))
  fs.symlinkSync(join(source, 'nothing'), join(project, 'dangling.jsonl'))
  const report = await run('claude-code', source)
  expect(report.sessions.added).toBe(1)
  expect(report.unreadable).toEqual([
    { file: join(project, 'dangling.jsonl'), reason: 'it does not exist (ENOENT)' },
    { file: join(project, 'directory.jsonl'), reason: 'it is not a file' },
  ])
})

test('ids that are paths stay where they belong', async () => {
  const { run, source, directory, home, sessions, root } = setUp()
  const hostile = claudeUser(1, directory, 'Hi') as { uuid: string; cwd: string }
  hostile.uuid = '../../../escaped'
  writeLines(transcriptIn(source, directory), [hostile, { ...claudeUser(2, '../../..', 'There') }])
  makeChatGpt(join(source, 'chatgpt'), [{ ...chatGptConversation(), conversation_id: '../../escaped' }])
  await run('claude-code', source)
  await run('chatgpt', join(source, 'chatgpt'))
  expect(await sessions.ids()).toHaveLength(2)
  const escaped = Object.keys(treeOf(home.path)).filter(
    path => path.endsWith('.jsonl') && path.includes('escaped'),
  )
  expect(escaped).toEqual([
    expect.stringMatching(/^projects\/[^/]+\/sessions\/chatgpt-escaped-[0-9a-f]{10}\.jsonl$/),
  ])
  expect(
    Object.keys(treeOf(root)).filter(path => path.includes('escaped') && !path.startsWith('home/projects/')),
  ).toEqual([])
})

test('a crash between a session and its ledger only repeats work', async () => {
  const { run, source, directory, messagesOf, home, project } = setUp()
  makeNanobot(source)
  makeClaudeCode(source, directory)
  await run('nanobot', source)
  await run('claude-code', source)
  const before = await messagesOf(`claude-code-${CLAUDE_SESSION}`)
  fs.rmSync(join(home.projects, project.slug, 'imports.jsonl'))
  expect((await run('claude-code', source)).sessions).toEqual({ ...NOTHING_NEW, unchanged: 1 })
  await run('nanobot', source)
  expect(await messagesOf(`claude-code-${CLAUDE_SESSION}`)).toEqual(before)
  expect(await new History(join(home.projects, project.slug, 'memory')).entries()).toHaveLength(2)
  using memory = await Memory.open({ home, project })
  expect(await memory.list()).toHaveLength(4)
})

test('a process that was killed while it made a file does not keep the session out', async () => {
  const { run, source, directory, messagesOf, sessions } = setUp()
  makeClaudeCode(source, directory)
  writeText(sessions.pathOf(`claude-code-${CLAUDE_SESSION}`), '')
  expect(await run('claude-code', source)).toMatchObject({ sessions: { added: 1 }, unreadable: [] })
  expect(await messagesOf(`claude-code-${CLAUDE_SESSION}`)).toHaveLength(9)
  expect(await sessions.list()).toMatchObject([{ title: 'Build fails: missing header' }])
})

test('a session that is open elsewhere is told, and the others are imported', async () => {
  const { run, source, directory, sessions } = setUp()
  makeClaudeCode(source, directory)
  writeLines(join(transcriptIn(source, directory), '..', 'other.jsonl'), [claudeUser(1, directory, 'Hi')])
  await using open = sessions.create({ id: `claude-code-${CLAUDE_SESSION}` })
  await open.append({
    id: 'x',
    role: 'user',
    origin: 'person',
    at: '2026-01-01T00:00:00.000Z',
    parts: [{ type: 'text', text: 'x' }],
  })
  const report = await run('claude-code', source)
  expect(report.sessions.added).toBe(1)
  expect(report.unreadable).toEqual([
    { file: transcriptIn(source, directory), reason: expect.stringContaining('is open in process') },
  ])
})

test('a large transcript goes in batches and comes out whole', async () => {
  const { run, source, directory, messagesOf } = setUp()
  const lines = Array.from({ length: 1_050 }, (_, n) => claudeUser(n + 1, directory, `Message ${n + 1}`))
  writeLines(transcriptIn(source, directory), lines)
  expect((await run('claude-code', source)).sessions.added).toBe(1)
  const messages = await messagesOf(`claude-code-${CLAUDE_SESSION}`)
  expect(messages.map(({ id }) => id)).toEqual(lines.map((_, n) => UUID(n + 1)))
})
