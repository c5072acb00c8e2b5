import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProject, homeAt } from '../config/index.ts'
import { Sessions } from '../session/index.ts'
import { readJsonl } from '../store/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import {
  CLAUDE_SESSION,
  claudeUser,
  makeChatGpt,
  makeClaudeCode,
  makeCodex,
  makeNanobot,
  makeOpenCodeDatabase,
  makeOpenCodeStorage,
  treeOf,
  UUID,
  writeLines,
} from '../surfaces/import/sources.fixture.ts'
import { printReport } from './import.ts'
import { BIN, reverie } from './reverie.fixture.ts'

function setUp() {
  const root = temporaryDirectory()
  const [home, work, source] = [join(root, 'home'), join(root, 'work'), join(root, 'source')]
  for (const directory of [home, work, source]) fs.mkdirSync(directory)
  const run = (...args: string[]) => reverie(args, { home, cwd: work })
  const json = (...args: string[]) => {
    const ran = run(...args, '--json')
    expect([ran.code, ran.stderr], args.join(' ')).toEqual([0, ''])
    return JSON.parse(ran.stdout)
  }
  /** Everything that was imported; not the locks, nor what is derived. */
  const kept = () =>
    Object.fromEntries(
      Object.entries(treeOf(home)).filter(([path]) =>
        /(?:^|\/)(?:sessions|memory)\/|\.jsonl$|^[A-Z]+\.md$/.test(path),
      ),
    )
  const sessionsOf = (directory = work) => new Sessions(homeAt(home), findProject(directory))
  return { root, home, work, source, run, json, kept, sessionsOf }
}

const tally = (added = 0, updated = 0, unchanged = 0) => ({ added, updated, unchanged })

test.each<
  [agent: string, make: (source: string, work: string) => unknown, sessions: number, memories: number]
>([
  ['claude-code', makeClaudeCode, 1, 2],
  ['codex', makeCodex, 2, 0],
  ['nanobot', makeNanobot, 2, 3],
  ['opencode', makeOpenCodeStorage, 1, 0],
  ['opencode', (source, work) => makeOpenCodeDatabase(source, work).close(), 1, 0],
  ['chatgpt', source => makeChatGpt(source), 1, 0],
])(
  '%s: a dry run writes nothing, an import adds, a second one changes nothing',
  (agent, make, sessions, memories) => {
    const { source, work, home, json, kept } = setUp()
    make(source, work)
    const before = treeOf(source)
    const imported = { sessions: tally(sessions), memories: tally(memories), unreadable: [] }
    expect(json('import', agent, '--from', source, '--dry-run')).toMatchObject(imported)
    expect(fs.readdirSync(home)).toEqual([])
    expect(json('import', agent, '--from', source)).toMatchObject(imported)
    const first = kept()
    expect(Object.keys(first).filter(path => path.includes('/sessions/'))).toHaveLength(sessions)
    const unchanged = { sessions: tally(0, 0, sessions), memories: tally(0, 0, memories), unreadable: [] }
    expect(json('import', agent, '--from', source, '--dry-run')).toMatchObject(unchanged)
    expect(json('import', agent, '--from', source)).toMatchObject(unchanged)
    expect(kept()).toEqual(first)
    expect(treeOf(source)).toEqual(before)
  },
)

test('a source that nobody may write to is imported all the same', () => {
  const { root, home, source, work } = setUp()
  makeClaudeCode(join(source, 'claude'), work)
  makeOpenCodeDatabase(join(source, 'opencode'), work).close()
  const below = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).map(name => join(source, name))
  const setMode = (more: number) => {
    for (const path of [source, ...below])
      fs.chmodSync(path, (fs.statSync(path).isDirectory() ? 0o555 : 0o444) | more)
  }
  // Root may write anywhere: then somebody else imports.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined
  if (uid !== undefined) {
    fs.chmodSync(root, 0o755)
    fs.chownSync(home, uid, uid)
  }
  setMode(0)
  try {
    for (const [agent, directory] of [
      ['claude-code', 'claude'],
      ['opencode', 'opencode'],
    ] as const) {
      const args = ['import', agent, '--from', join(source, directory), '--json']
      const ran = reverie(args, { home, cwd: work, ...(uid !== undefined && { uid }) })
      expect([ran.code, ran.stderr]).toEqual([0, ''])
      expect(JSON.parse(ran.stdout)).toMatchObject({ sessions: tally(1), unreadable: [] })
    }
  } finally {
    setMode(0o200)
  }
})

test('a file that is no transcript does not fill the screen', () => {
  const none = { added: 0, updated: 0, unchanged: 0 }
  const bad = (file: string, lines: number) =>
    Array.from({ length: lines }, (_, at) => ({ file, reason: `line ${at + 1}: it is not JSON` }))
  const unreadable = [...bad('random.jsonl', 5_000), ...bad('half.jsonl', 2)]
  const report = {
    sessions: none,
    memories: none,
    history: none,
    leftOut: [],
    notes: [],
    from: '/x',
    dryRun: false,
  }
  const lines = printReport({ ...report, unreadable }).split('\n')
  expect(lines).toHaveLength(3 + 11 + 2)
  expect(lines.slice(-3)).toEqual([
    '✗ random.jsonl: and 4990 more (--json lists all)',
    '✗ half.jsonl: line 1: it is not JSON',
    '✗ half.jsonl: line 2: it is not JSON',
  ])
})

test('what is deleted and forgotten here does not come back', async () => {
  const { source, work, json, run, sessionsOf } = setUp()
  makeClaudeCode(source, work)
  json('import', 'claude-code', '--from', source)
  await sessionsOf().delete(`claude-code-${CLAUDE_SESSION}`)
  expect(run('memory', 'forget', 'user_prefers-tabs.md').code).toBe(0)
  expect(json('import', 'claude-code', '--from', source)).toMatchObject({
    sessions: tally(0, 0, 1),
    memories: tally(0, 0, 2),
  })
  expect(await sessionsOf().ids()).toEqual([])
  expect(json('memory', 'list').map(({ file }: { file: string }) => file)).toEqual([
    'project_deploys-on-friday.md',
  ])
})

test('what was imported is listed and found', async () => {
  const { source, work, json, sessionsOf } = setUp()
  makeClaudeCode(source, work)
  json('import', 'claude-code', '--from', source)
  expect(await sessionsOf().list()).toMatchObject([
    { id: `claude-code-${CLAUDE_SESSION}`, title: 'Build fails: missing header', source: 'claude-code' },
  ])
  expect(json('recall', 'when do we deploy?')).toMatchObject([{ file: 'project_deploys-on-friday.md' }])
  expect(json('memory', 'doctor')).toMatchObject({ ok: true })
})

/** Everything that stands in the files of sessions, each line for itself. What was cut short stays there. */
async function messageIdsIn(directory: string): Promise<string[]> {
  const ids: string[] = []
  for (const name of fs.readdirSync(directory))
    for await (const { value } of readJsonl(join(directory, name))) {
      const { kind, id = '' } = (value ?? {}) as { kind?: string; id?: string }
      if (kind === 'message') ids.push(id)
    }
  return ids
}

function manyTranscripts(source: string, work: string): string[] {
  const project = join(source, 'projects', work.replaceAll(/[^A-Za-z0-9]/g, '-'))
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  for (const n of numbers)
    writeLines(
      join(project, `s${n}.jsonl`),
      Array.from({ length: 300 }, (_, m) => claudeUser(n * 1_000 + m, work, `Message ${m}`)),
    )
  return numbers.flatMap(n => Array.from({ length: 300 }, (_, m) => UUID(n * 1_000 + m))).toSorted()
}

test('imports at the same time, and one that is killed: everything is there exactly once', async () => {
  const { home, source, work, sessionsOf, json } = setUp()
  const ids = manyTranscripts(source, work)
  const start = () =>
    spawn(BIN, ['import', 'claude-code', '--from', source], {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: home, REVERIE_HOME: home },
      stdio: 'ignore',
    })
  const killed = start()
  const { directory } = sessionsOf()
  // As soon as it is in the middle of its work.
  while (killed.exitCode === null && !(fs.existsSync(directory) && fs.readdirSync(directory).length > 3))
    await new Promise(done => setTimeout(done, 1))
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const exits = await Promise.all([start(), start(), start()].map(child => once(child, 'exit')))
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0])
  expect((await messageIdsIn(directory)).toSorted()).toEqual(ids)
  expect(json('import', 'claude-code', '--from', source).sessions).toEqual(tally(0, 0, 40))
})

test('the usual place is where the program says it is', () => {
  const { home, work, source } = setUp()
  makeClaudeCode(source, work)
  makeCodex(join(source, 'codex'), work)
  makeOpenCodeStorage(join(source, 'opencode'), work)
  const env = { CLAUDE_CONFIG_DIR: source, CODEX_HOME: join(source, 'codex'), XDG_DATA_HOME: source }
  for (const agent of ['claude-code', 'codex', 'opencode']) {
    const ran = reverie(['import', agent, '--json'], { home, cwd: work, env })
    expect(JSON.parse(ran.stdout).sessions.added, agent).toBeGreaterThan(0)
  }
})

test('--project takes everything in; --memory-dir takes the memories', async () => {
  const { root, source, json, sessionsOf } = setUp()
  const [one, other, memories] = [join(root, 'one'), join(root, 'other'), join(root, 'memories')]
  for (const directory of [one, other]) fs.mkdirSync(directory)
  makeClaudeCode(source, one)
  writeLines(join(source, 'projects', '-gone', 'second.jsonl'), [claudeUser(1, '/gone', 'Hi')])
  json('import', 'claude-code', '--from', source, '--project', other, '--memory-dir', memories)
  expect(await sessionsOf(other).ids()).toHaveLength(2)
  expect(await sessionsOf(one).ids()).toEqual([])
  expect(fs.readdirSync(memories)).toContain('user_prefers-tabs.md')
  expect(json('memory', 'list', '--project', one)).toEqual([])
})

test('for a person: what was done, what was left out, and what could not be read', () => {
  const { source, work, run } = setUp()
  makeClaudeCode(source, work)
  fs.writeFileSync(join(source, 'projects', 'x.jsonl'), '')
  fs.rmSync(join(source, 'projects', 'x.jsonl'))
  const [project = ''] = fs.readdirSync(join(source, 'projects'))
  const bad = join(source, 'projects', project, 'bad\u001b[31m.jsonl')
  fs.writeFileSync(bad, '{oops\n')
  const dry = run('import', 'claude-code', '--from', source, '--dry-run')
  expect(dry.stdout).toContain('Nothing was written')
  const ran = run('import', 'claude-code', '--from', source)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain(`From ${source}:`)
  expect(ran.stdout).toContain('sessions  1 added, 0 updated, 0 unchanged')
  expect(ran.stdout).toContain('memories  2 added, 0 updated, 0 unchanged')
  expect(ran.stdout).toContain('left out: 2 transcripts of sub-agents')
  expect(ran.stdout).toMatch(/✗ .*bad\\u001b\[31m\.jsonl: line 1: it is not JSON/)
  expect(ran.stdout).not.toContain('\u001b')
})

test('wrong input gets a sentence and changes nothing', () => {
  const { root, home, source, run } = setUp()
  fs.writeFileSync(join(root, 'export.zip'), 'PK')
  for (const [args, code, sentence] of [
    [['claude-code'], 1, '/nobody/.claude. Say where it is: --from PATH.'],
    [['codex', '--from', '/not/there'], 1, 'There is nothing of Codex in /not/there'],
    [['chatgpt'], 1, '--from DIR'],
    [['chatgpt', '--from', join(root, 'export.zip')], 1, 'Unpack it'],
    [['gemini'], 2, 'Allowed choices are claude-code, nanobot, codex, opencode, chatgpt'],
    [[], 2, "missing required argument 'agent'"],
    [['codex', '--from', source, '--no-memory'], 1, 'Memory is off'],
  ] as const) {
    const ran = run('import', ...args)
    expect([ran.code, ran.stderr], args.join(' ')).toEqual([code, expect.stringContaining(sentence)])
    expect(ran.stderr, args.join(' ')).not.toContain('    at ')
  }
  expect(run('import', 'codex', '--from', source).stdout).toBe(`Nothing to import was found in ${source}.\n`)
  expect(fs.readdirSync(home)).toEqual([])
})
