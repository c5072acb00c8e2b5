import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt, projectSlug } from '../config/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { Sessions } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { normalise } from './main.ts'
import { BIN, type Ran, reverie, reverieBeside } from './reverie.fixture.ts'

test.each<[args: string[], normalised: string[]]>([
  [[], ['chat']],
  [
    ['-m', 'hi'],
    ['chat', '-m', 'hi'],
  ],
  [
    ['--home', 'x', '-m', 'memory'],
    ['chat', '--home', 'x', '-m', 'memory'],
  ],
  [
    ['--model', 'embedded'],
    ['chat', '--model', 'embedded'],
  ],
  [
    ['memory', 'list'],
    ['memory', 'list'],
  ],
  [
    ['--home', 'x', 'memory', 'list'],
    ['--home', 'x', 'memory', 'list'],
  ],
  [
    ['sessions', 'resume', '-m', 'hi'],
    ['sessions', 'resume', '-m', 'hi'],
  ],
  [
    ['-m', 'several', 'words'],
    ['chat', '-m', 'several', 'words'],
  ],
  [['mmory'], ['mmory']],
  [['--help'], ['--help']],
  [['-V'], ['-V']],
  [
    ['help', 'memory'],
    ['memory', '--help'],
  ],
])('%j is %j', (args, normalised) => {
  expect(normalise(args)).toEqual(normalised)
})

function say(home: string, message: string, ...more: string[]): Ran {
  return reverie(['-m', message, ...more], { home })
}

test('with nothing configured it remembers what it is told, and answers with the file and its age in a new process', () => {
  const home = temporaryDirectory()
  const told = say(home, 'I prefer tabs for indentation. Remember that.')
  expect(told.code).toBe(0)
  expect(told.stderr).toMatch(/Remembered: .*tabs.* · undo: reverie memory undo [0-9a-f]+/i)
  const asked = say(home, 'What did I tell you about my preferences?')
  expect(asked.code).toBe(0)
  expect(asked.stdout).toMatch(/tabs/)
  expect(asked.stdout).toMatch(/user_[\w-]+\.md/)
  expect(asked.stdout).toMatch(/saved today/)
})

test('the same in Chinese', () => {
  const home = temporaryDirectory()
  expect(say(home, '我喜欢用制表符缩进,记住。').code).toBe(0)
  const asked = say(home, '我告诉过你我的偏好是什么?')
  expect(asked.stdout).toMatch(/制表符/)
  expect(asked.stdout).toMatch(/user_[\w-]+\.md/)
})

test('what is said in passing is kept and said so; undo takes it back; --no-memory keeps nothing', () => {
  const home = temporaryDirectory()
  const told = say(home, 'I also prefer single quotes')
  const [, undo = ''] = /undo: reverie memory undo ([0-9a-f]+)/.exec(told.stderr) ?? []
  expect(JSON.parse(reverie(['memory', 'list', '--json'], { home }).stdout)).toHaveLength(1)
  expect(reverie(['memory', 'undo', undo], { home }).code).toBe(0)
  expect(JSON.parse(reverie(['memory', 'list', '--json'], { home }).stdout)).toEqual([])
  const off = say(home, 'Remember that I like tea.', '--no-memory')
  expect(off.code).toBe(0)
  expect(JSON.parse(reverie(['memory', 'list', '--json'], { home }).stdout)).toEqual([])
})

test('one JSON document, with the session, the answer and what was done', () => {
  const home = temporaryDirectory()
  const ran = say(home, 'Remember that my name is Ann.', '--json')
  const answer = JSON.parse(ran.stdout)
  expect(answer).toMatchObject({ reason: 'answered', model: 'embedded', effects: [{ kind: 'remembered' }] })
  expect(answer.reply).not.toBe('')
  const [listed] = JSON.parse(reverie(['sessions', 'list', '--json'], { home }).stdout)
  expect(listed).toMatchObject({ id: answer.session, title: 'Remember that my name is Ann.' })
})

test('from a pipe: a message with -m -, and a conversation line by line', () => {
  const home = temporaryDirectory()
  expect(reverie(['-m', '-'], { home, input: 'Remember that I like tea.' }).code).toBe(0)
  const talk = reverie([], {
    home,
    input: '/memory\nWhat do you know about me?\n/nonsense\n/quit\nnever said\n',
  })
  expect(talk.stdout).toMatch(/tea/)
  expect(talk.stderr).toMatch(/no command \/nonsense/)
  expect(talk.stdout + talk.stderr).not.toMatch(/never said/)
  expect(reverie(['-m', ' '], { home })).toMatchObject({ code: 1, stderr: expect.stringMatching(/is empty/) })
})

test('commands of a conversation, as one message each', () => {
  const home = temporaryDirectory()
  expect(say(home, 'Remember that I like tea.').code).toBe(0)
  for (const command of ['/help', '/memory', '/sessions', '/cost', '/model', '/search tea']) {
    const ran = say(home, command)
    expect([command, ran.code, ran.stderr]).toEqual([command, 0, ''])
    expect(ran.stdout.trim()).not.toBe('')
  }
})

test('a conversation is not one JSON document', () => {
  const ran = reverie(['--json'], { home: temporaryDirectory(), input: 'hello\n' })
  expect(ran.code).toBe(2)
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: expect.stringMatching(/-m/) })
})

test('a directory that is gone does not matter where a project is given', () => {
  const [home, gone] = [temporaryDirectory(), join(temporaryDirectory(), 'gone')]
  mkdirSync(gone)
  const command = `cd '${gone}' && rmdir '${gone}' && exec '${BIN}' -m 'Remember that I like tea.' --project '${home}'`
  const ran = spawnSync('sh', ['-c', command], {
    env: { PATH: process.env.PATH, REVERIE_HOME: home },
    encoding: 'utf8',
  })
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/Remembered/) })
})

test('nobody who reads what stands beside the answer is no reason to stop', () => {
  const home = temporaryDirectory()
  const said = `'${BIN}' -m 'Remember that I like tea.' 2>&1 >/dev/null; echo "code $?" >&3`
  const ran = spawnSync('sh', ['-c', `exec 3>&1; { ${said}; } | true`], {
    cwd: home,
    env: { PATH: process.env.PATH, REVERIE_HOME: home },
    encoding: 'utf8',
  })
  expect(ran.stdout).toBe('code 0\n')
})

const KINDS = { anthropic: 'anthropic/claude-x', compatible: 'custom/model-x' } as const

/** A home whose models are on the wire. */
function homeWith(settings: object, more: object = {}): string {
  const home = temporaryDirectory()
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: settings, ...more }), { mode: 0o600 })
  return home
}

const SCRIPT: Line[] = [
  {
    text: 'Let me keep that.',
    calls: [
      {
        name: 'memory_save',
        input: {
          type: 'user',
          name: 'Likes tea',
          description: 'Likes green tea',
          body: 'Green tea, no sugar.',
        },
      },
    ],
  },
  { text: 'I will remember the tea.' },
]

test.each(Object.entries(KINDS))(
  '%s: a conversation with tools on the wire, and the next one recalls',
  async (_, model) => {
    await using provider = await startFakeProvider(...SCRIPT)
    const home = homeWith(provider.settings('anthropic', 'custom'), { model })
    const told = await reverieBeside(['-m', 'I like green tea. Keep that in mind.'], { home })
    expect(told).toMatchObject({ code: 0, stdout: 'Let me keep that.\nI will remember the tea.\n' })
    expect(told.stderr).toMatch(/Remembered: Likes tea · undo/)
    expect(provider.requests[1]?.text).toContain('user_likes-tea.md')
    provider.say({ text: 'Green, as you said.' })
    const asked = await reverieBeside(['-m', 'Which green tea do I like?'], { home })
    expect(asked.stdout).toBe('Green, as you said.\n')
    expect(asked.stderr).toMatch(/recalled: Likes tea \(saved today\)/)
    const last = provider.requests.at(-1)
    expect(last?.text).toContain('user_likes-tea.md')
    expect(last?.text.includes('cache_control')).toBe(model.startsWith('anthropic'))
  },
)

test.each<[what: string, line: Line, says: RegExp]>([
  [
    'a wrong key',
    { fault: { status: 401, type: 'authentication_error' } },
    /key.*ANTHROPIC_API_KEY|providers\.anthropic\.apiKey/,
  ],
  [
    'a wrong model name',
    { fault: { status: 404, type: 'not_found_error', message: 'model: claude-x' } },
    /claude-x|model/,
  ],
])('%s: one sentence that names what to change, exit 1, and the message is kept', async (_, line, says) => {
  await using provider = await startFakeProvider(line)
  const home = homeWith(provider.settings('anthropic'), { model: KINDS.anthropic })
  const ran = await reverieBeside(['-m', 'Keep these words.'], { home })
  expect(ran.code).toBe(1)
  expect(ran.stdout).toBe('')
  expect(ran.stderr).toMatch(says)
  expect(ran.stderr).not.toMatch(/ at .*\.ts|sk-fake/)
  expect(ran.stderr.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(reverie(['sessions', 'search', 'words', '--json'], { home }).stdout)).toMatchObject([
    { role: 'user' },
  ])
})

test('a key that is missing is named before anything is asked', () => {
  const ran = say(temporaryDirectory(), 'hello', '--model', 'openai/gpt-x')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/OPENAI_API_KEY/) })
})

test('a budget that is spent: a sentence, exit 1, and the message is kept', async () => {
  await using provider = await startFakeProvider({
    text: 'Costly.',
    usage: { input: 900_000, output: 9_000 },
  })
  const model = 'anthropic/claude-sonnet-5-5'
  const home = homeWith(provider.settings('anthropic'), { model, budget: { usd: 0.1 } })
  expect((await reverieBeside(['-m', 'first'], { home })).code).toBe(0)
  const ran = await reverieBeside(['sessions', 'resume', '-m', 'second'], { home })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toMatch(/budget\.usd/)
  expect(provider.requests).toHaveLength(1)
  const [{ id, usd }] = JSON.parse(reverie(['sessions', 'list', '--json'], { home }).stdout)
  expect(usd).toBeGreaterThan(0.1)
  expect(reverie(['sessions', 'show', id], { home }).stdout).toContain('second')
})

test('what a model calls its tools does not steer the terminal', async () => {
  await using provider = await startFakeProvider(
    { calls: [{ name: 'evil\u001b[2Jtool', input: {} }] },
    { text: 'So be it.' },
  )
  const home = homeWith(provider.settings('custom'), { model: KINDS.compatible })
  const ran = await reverieBeside(['-m', 'Go.'], { home })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('· evil\\u001b[2Jtool')
  expect(ran.stderr + ran.stdout).not.toContain('\u001b')
})

test('a conversation from a pipe in which something failed does not end as a success', async () => {
  await using provider = await startFakeProvider(
    { fault: { status: 401, type: 'authentication_error' } },
    { text: 'Yes.' },
  )
  const home = homeWith(provider.settings('custom'), { model: KINDS.compatible })
  const ran = await reverieBeside([], { home, input: 'one\ntwo\n' })
  expect(ran).toMatchObject({ code: 1, stdout: 'Yes.\n' })
})

test('what a pipe brings is not lost while a session is taken up', async () => {
  await using provider = await startFakeProvider({ fault: { status: 401, type: 'authentication_error' } })
  const home = homeWith(provider.settings('custom'), { model: KINDS.compatible })
  await reverieBeside(['-m', 'Are you there?'], { home })
  provider.say({ text: 'I am now.', fault: { trickle: 100 } }, { text: 'Still.' })
  const resumed = await reverieBeside(['sessions', 'resume'], { home, input: 'And now?\n' })
  expect(resumed).toMatchObject({ code: 0, stdout: 'I am now.\nStill.\n' })
})

test('a session that was left unanswered goes on', async () => {
  await using provider = await startFakeProvider({ fault: { status: 401, type: 'authentication_error' } })
  const home = homeWith(provider.settings('custom'), { model: KINDS.compatible })
  await reverieBeside(['-m', 'Are you there?'], { home })
  provider.say({ text: 'I am now.' }, { text: 'And still.' })
  const resumed = await reverieBeside(['sessions', 'resume'], { home })
  expect(resumed).toMatchObject({ code: 0, stdout: 'I am now.\n' })
  const more = await reverieBeside(['sessions', 'resume', '-m', 'Still?'], { home })
  expect(more.stdout).toBe('And still.\n')
  const files = readdirSync(join(home, 'projects')).flatMap(slug =>
    readdirSync(join(home, 'projects', slug, 'sessions')).filter(name => name.endsWith('.jsonl')),
  )
  expect(files).toHaveLength(1)
})

test('a last line that was cut short is told of when the session goes on', () => {
  const home = temporaryDirectory()
  const { session } = JSON.parse(say(home, 'Remember that I like tea.', '--json').stdout)
  const path = new Sessions(homeAt(home), { slug: projectSlug(home) }).pathOf(session)
  appendFileSync(path, '{"kind":"mess')
  const ran = reverie(['sessions', 'resume', '-m', 'hello'], { home })
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/last line of 13 bytes was cut short/) })
})

test('a secret in a message is kept where it was said and nowhere else', () => {
  const home = temporaryDirectory()
  const ran = say(home, 'Remember that my password is hunter2hunter2')
  expect(ran.code).toBe(0)
  expect(JSON.parse(reverie(['memory', 'list', '--json'], { home }).stdout)).toEqual([])
  const config = readdirSync(home).filter(name => name === 'config.json')
  expect(config.map(name => readFileSync(join(home, name), 'utf8'))).toEqual([])
})
