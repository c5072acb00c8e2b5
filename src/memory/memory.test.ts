import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ChangedMeanwhile, ownIdentity, UnsafePath } from '../store/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { DAY_MS, draft, freshMemory } from './memory.fixture.ts'
import { BadFileName } from './name.ts'
import { InvalidMemory, NotWorthKeeping, Pinned, SecretRefused, ShrinkRefused } from './save.ts'

const read = (directory: string, file: string) => fs.readFileSync(join(directory, file), 'utf8')

test('saves a private file that others can read, an index line, and a journal entry', async () => {
  const { memory, directory } = await freshMemory()
  const saved = await memory.save(
    draft('Prefers tabs', { description: 'Indents with tabs', body: 'Use tabs.' }),
  )
  expect(saved).toMatchObject({
    file: 'user_prefers-tabs.md',
    created: true,
    scope: 'project',
    index: { lines: 3 },
    warnings: [],
  })
  expect(read(directory, saved.file)).toBe(
    '---\nname: Prefers tabs\ndescription: Indents with tabs\ntype: user\ncreated: 2026-04-08T12:00:00Z\nupdated: 2026-04-08T12:00:00Z\n---\n\nUse tabs.\n',
  )
  expect(read(directory, 'MEMORY.md')).toBe(
    '## About the owner\n\n- [Prefers tabs](user_prefers-tabs.md) — Indents with tabs\n',
  )
  expect(fs.statSync(join(directory, saved.file)).mode & 0o777).toBe(0o600)
  expect(fs.statSync(directory).mode & 0o777).toBe(0o700)
  expect((await memory.history(saved.file)).map(({ message, by }) => [message, by])).toEqual([
    ['Remember "Prefers tabs"', 'Owner'],
  ])
  expect(await memory.doctor()).toEqual({ ok: true, problems: [], fixed: [], warnings: [] })
})

test('the same type and name updates, another name with the same slug gets a file of its own', async () => {
  const { memory, directory, clock } = await freshMemory()
  await memory.save(draft('CI/CD', { description: 'one' }))
  clock.now = new Date(clock.now.getTime() + 3 * DAY_MS)
  const updated = await memory.save(draft('ci/cd ', { description: 'two' }))
  expect(updated).toMatchObject({ file: 'user_ci-cd.md', created: false, unchanged: false })
  expect(read(directory, 'user_ci-cd.md')).toContain('name: CI/CD\ndescription: two\n')
  expect(read(directory, 'user_ci-cd.md')).toContain(
    'created: 2026-04-08T12:00:00Z\nupdated: 2026-04-11T12:00:00Z',
  )
  expect(read(directory, 'MEMORY.md')).toContain('- [CI/CD](user_ci-cd.md) — two')
  expect(await memory.save(draft('CI CD'))).toMatchObject({ file: 'user_ci-cd-2.md', created: true })
  expect(await memory.save(draft('CI/CD', { type: 'project' }))).toMatchObject({
    file: 'project_ci-cd.md',
    created: true,
  })
  expect(await memory.save(draft('CI CD'))).toMatchObject({
    file: 'user_ci-cd-2.md',
    created: false,
    unchanged: true,
  })
  expect((await memory.list()).map(({ file }) => file).sort()).toEqual([
    'project_ci-cd.md',
    'user_ci-cd-2.md',
    'user_ci-cd.md',
  ])
})

test('carries its age, and warns when it is more than a day old', async () => {
  const { memory, clock } = await freshMemory()
  const { file } = await memory.save(draft('Likes tea'))
  expect(await memory.get(file)).toMatchObject({ ageDays: 0, stale: false, note: 'saved today' })
  clock.now = new Date(clock.now.getTime() + 12 * DAY_MS)
  expect(await memory.get(file)).toMatchObject({
    ageDays: 12,
    stale: true,
    note: 'saved 12 days ago; a snapshot, verify before relying on it',
  })
  const [listed] = await memory.list()
  expect(listed).toMatchObject({
    file,
    ageDays: 12,
    stale: true,
    pinned: false,
    scope: 'project',
    type: 'user',
  })
  expect((await memory.recall('tea'))[0]).toMatchObject({ file, ageDays: 12, stale: true })
})

test('refuses what is no memory, what is secret and what is not worth keeping, and writes nothing', async () => {
  const { memory, root, directory } = await freshMemory()
  fs.mkdirSync(join(root, 'project'))
  fs.writeFileSync(
    join(root, 'project', 'AGENTS.md'),
    'Run the linter before every commit and never push to main directly.',
  )
  const key = `sk-ant-api03-${'Ab1'.repeat(31)}AA`
  await expect(memory.save(draft('x', { type: 'note' as never }))).rejects.toThrow(InvalidMemory)
  await expect(memory.save(draft('  '))).rejects.toThrow('needs a name')
  await expect(memory.save(draft('x', { description: '' }))).rejects.toThrow('needs a description')
  await expect(memory.save(draft('x', { body: 'a\0b' }))).rejects.toThrow(InvalidMemory)
  await expect(memory.save(draft('x', { body: 'y'.repeat(2 ** 20 + 1) }))).rejects.toThrow('at most 1 MB')
  await expect(memory.save(draft('x', { body: `The key is ${key}` }))).rejects.toThrow(SecretRefused)
  await expect(memory.save(draft('x', { body: `The key is ${key}` }))).rejects.not.toThrow(key)
  const said = 'Run the linter before every commit and never push to main directly.'
  await expect(memory.save(draft('x', { description: said, body: said }))).rejects.toThrow(NotWorthKeeping)
  expect(fs.existsSync(directory)).toBe(false)
})

test('makes relative dates absolute, and says so', async () => {
  const { memory, directory } = await freshMemory()
  const saved = await memory.save(
    draft('Freeze', { type: 'project', description: 'Merge freeze begins tomorrow', body: '昨天开始的冻结' }),
  )
  expect(read(directory, saved.file)).toContain('Merge freeze begins 2026-04-09')
  expect(read(directory, saved.file)).toContain('2026-04-07')
  expect(saved.dates).toContainEqual({ from: 'tomorrow', to: '2026-04-09' })
})

test('a name does not keep a relative date either, but finds the memory that has it', async () => {
  const { memory, directory } = await freshMemory()
  const deadline = draft('Deadline is tomorrow', { description: 'Due tomorrow', body: 'Due tomorrow.' })
  const saved = await memory.save(deadline)
  expect(saved.file).toBe('user_deadline-is-2026-04-09.md')
  expect(read(directory, saved.file)).toContain('name: Deadline is 2026-04-09\n')
  expect(await memory.save(deadline)).toMatchObject({ file: saved.file, created: false })
  fs.writeFileSync(
    join(directory, 'user_old.md'),
    '---\nname: Ends tomorrow\ndescription: It ends\ntype: user\n---\n\nIt ends.\n',
  )
  const again = await memory.save(draft('Ends tomorrow', { description: 'It ended' }))
  expect(again).toMatchObject({ file: 'user_old.md', created: false })
})

test('an update does not cut a long memory short by accident', async () => {
  const { memory, directory } = await freshMemory()
  const long = 'A paragraph that took a while to gather.\n'.repeat(100)
  await memory.save(draft('Long', { body: long }))
  await expect(memory.save(draft('Long', { body: 'A para' }))).rejects.toThrow(ShrinkRefused)
  expect(read(directory, 'user_long.md')).toContain(long.trim())
  await memory.save(draft('Long', { body: 'Short.', mayShrink: true }))
  expect(read(directory, 'user_long.md')).toContain('\nShort.\n')
})

test('a pinned memory is changed and forgotten by its owner only', async () => {
  const { memory } = await freshMemory()
  const { file } = await memory.save(draft('Fixed', { pinned: true }))
  await expect(memory.save(draft('Fixed', { body: 'new', origin: 'agent' }))).rejects.toThrow(Pinned)
  await expect(memory.forget(file, { by: 'Reverie' })).rejects.toThrow(Pinned)
  await memory.pin(file, false)
  expect(await memory.save(draft('Fixed', { body: 'new', origin: 'agent' }))).toMatchObject({
    created: false,
  })
  expect(await memory.get(file)).toMatchObject({ pinned: false, origin: 'agent', body: 'new' })
})

test('files whose names cannot be used are reported, and nothing else suffers', async () => {
  const { memory, directory } = await freshMemory()
  await memory.save(draft('Zebra'))
  for (const name of ['why tabs?.md', 'a:b.md', 'con.md', 'x .md'])
    fs.writeFileSync(join(directory, name), '---\nname: odd\ndescription: d\ntype: user\n---\n')
  expect((await memory.list()).map(({ name }) => name).sort()).toEqual(['Zebra', 'odd'])
  expect(await memory.recall('zebra')).toHaveLength(1)
  await memory.save(draft('Another'))
  const unusable = (await memory.doctor()).problems.filter(({ kind }) => kind === 'unreadable')
  expect(unusable.map(({ file }) => file).sort()).toEqual(['a:b.md', 'con.md', 'why tabs?.md'])
})

test('nothing that is written makes a memory unreadable', async () => {
  const { memory } = await freshMemory()
  for (let n = 0; n < 60; n++)
    await memory.save(
      draft('Often', {
        sources: [`session-with-a-rather-long-identifier-${n}-0123456789abcdef0123456789abcdef`],
      }),
    )
  const { sources } = await memory.get('user_often.md')
  expect(sources).toHaveLength(20)
  expect(sources.at(-1)).toContain('-59-')
  for (const edit of [
    { description: 'x'.repeat(5_000) },
    { name: '  ' },
    { description: '' },
    { type: 'nonsense' as never },
    { body: 'a\0' },
  ])
    await expect(memory.edit('user_often.md', edit), JSON.stringify(edit).slice(0, 40)).rejects.toThrow(
      InvalidMemory,
    )
  await memory.edit('user_often.md', { body: 'We met yesterday.' })
  expect((await memory.get('user_often.md')).body).toBe('We met 2026-04-07.')
  expect(await memory.list()).toHaveLength(1)
})

test('what a program does by itself leaves pinned memories alone', async () => {
  const { memory } = await freshMemory()
  const { file } = await memory.save(draft('Pinned'))
  const edit = await memory.edit(file, { description: 'pinned now', pinned: true })
  const full = await memory.get(file)
  const by = 'Reverie'
  for (const act of [
    () => memory.edit(file, { body: 'x' }, { by }),
    () => memory.pin(file, false, { by }),
    () => memory.rewrite(full, full.text.replace('All', 'None'), { by }),
    () => memory.undo(edit.entry, { by }),
    () => memory.forget(file, { by }),
  ])
    await expect(act()).rejects.toThrow(Pinned)
  expect((await memory.get(file)).text).toBe(full.text)
})

test('a directory that is the owner’s and the project’s is one shelf, and a team that leads outside is none', async () => {
  const root = temporaryDirectory()
  const { memory } = await freshMemory({ root, directory: join(root, 'home', 'memory') })
  await memory.save(draft('Giraffe'))
  expect(await memory.list()).toHaveLength(1)
  expect(await memory.recall('giraffe')).toHaveLength(1)
  const other = await freshMemory()
  fs.mkdirSync(join(other.root, 'outside'))
  fs.mkdirSync(other.directory, { recursive: true })
  fs.symlinkSync(join(other.root, 'outside'), join(other.directory, 'team'))
  await expect(other.memory.save(draft('Leak', { scope: 'team' }))).rejects.toThrow(UnsafePath)
  await other.memory.save(draft('Kept'))
  expect(fs.readdirSync(join(other.root, 'outside'))).toEqual([])
  expect((await other.memory.doctor()).problems).toMatchObject([{ kind: 'symlink-out', scope: 'team' }])
})

test('a process that died in the middle of a change is noticed at the next start, and its work finished', async () => {
  const { memory, directory, open } = await freshMemory()
  await memory.save(draft('Before'))
  const [highest = 0] = fs
    .readdirSync(join(directory, '.reverie-lock'))
    .map(Number)
    .sort((a, b) => b - a)
  const claim = JSON.stringify({ ...ownIdentity(), startTime: 'another', token: 't', released: false })
  fs.writeFileSync(join(directory, '.reverie-lock', String(highest + 1)), claim)
  fs.writeFileSync(join(directory, 'user_half.md'), '---\nname: Half\ndescription: d\ntype: user\n---\n')
  fs.rmSync(join(directory, 'user_before.md'))
  const next = await open()
  expect(await next.doctor()).toMatchObject({ ok: true })
  expect((await next.history('user_half.md')).map(({ message }) => message)).toEqual([
    'Found after an interruption',
  ])
})

test('what cannot be shown never gets into a name, a description or the index', async () => {
  const { memory, directory } = await freshMemory()
  await memory.save(draft('Evil \u001b[2J\u202e', { description: 'd \u0007\u009b31m', body: 'b' }))
  fs.writeFileSync(join(directory, 'user_esc.md'), '---\nname: "\\e[2J"\ndescription: d\ntype: user\n---\n')
  for (const { name, description } of await memory.list())
    expect(name + description).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  expect(read(directory, 'MEMORY.md')).not.toMatch(/[\u0007\u001b\u009b\u202e]/)
})

test('a lock that is a file or a link is refused with a sentence', async () => {
  for (const make of [
    (lock: string) => fs.writeFileSync(lock, ''),
    (lock: string) => fs.symlinkSync('/tmp', lock),
  ]) {
    const { directory, open } = await freshMemory()
    fs.mkdirSync(directory, { recursive: true })
    make(join(directory, '.reverie-lock'))
    await expect(open()).rejects.toThrow(/emove it\./)
  }
})

test('notices whatever is changed by hand, and watches it', async () => {
  const { memory, directory } = await freshMemory()
  const { file } = await memory.save(draft('Editor', { description: 'vim', body: 'vim' }))
  const changes: string[] = []
  await using _ = await memory.watch(list =>
    changes.push(...list.map(({ scope, file, kind }) => `${scope} ${file} ${kind}`)),
  )
  fs.writeFileSync(join(directory, file), read(directory, file).replaceAll('vim', 'emacs'))
  fs.writeFileSync(
    join(directory, 'feedback_new.md'),
    '---\nname: Kittens\ndescription: d\ntype: feedback\n---\n',
  )
  expect((await memory.recall('emacs')).map(({ file }) => file)).toEqual([file])
  expect(await memory.recall('vim')).toEqual([])
  expect((await memory.recall('kittens')).map(({ file }) => file)).toEqual(['feedback_new.md'])
  await expect.poll(() => changes, { timeout: 20_000 }).toContain('project feedback_new.md added')
  fs.rmSync(join(directory, file))
  expect(await memory.recall('emacs')).toEqual([])
})

test('scopes: recall looks in all of them, saving says where, the nearest wins', async () => {
  const { memory } = await freshMemory()
  for (const scope of ['user', 'project', 'team'] as const)
    expect(await memory.save(draft('Coffee', { scope, description: `coffee, ${scope}` }))).toMatchObject({
      scope,
    })
  expect((await memory.list()).map(({ scope }) => scope).sort()).toEqual(['project', 'team', 'user'])
  expect((await memory.recall('coffee')).map(({ scope }) => scope).sort()).toEqual([
    'project',
    'team',
    'user',
  ])
  expect((await memory.get('user_coffee.md')).scope).toBe('project')
  expect((await memory.get('user_coffee.md', 'team')).description).toBe('coffee, team')
  expect(await memory.list('user')).toHaveLength(1)
  const prompt = await memory.prompt()
  expect(prompt).toContain('coffee, user')
  expect(prompt).toContain('coffee, team')
})

test('an existing directory of another program is used as it is', async () => {
  const directory = join(temporaryDirectory(), 'memory')
  fs.mkdirSync(directory, { mode: 0o755 })
  const files = {
    'MEMORY.md':
      '- [User role](user_role.md) — data scientist\n- [Testing](feedback_testing.md) — no mocks\n',
    'user_role.md':
      '---\nname: user role\ndescription: data scientist: looks at logging\ntype: user\n---\n\nRole.\n',
    'feedback_testing.md':
      '---\nname: testing\ndescription: "no mocks"\ntype: feedback\nextra: 1\n---\nUse a real database.\n',
    'notes.txt': 'not a memory',
  }
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(join(directory, name), text, { mode: 0o644 })
  const { memory } = await freshMemory({ directory })
  expect((await memory.list()).map(({ name }) => name).sort()).toEqual(['testing', 'user role'])
  expect((await memory.recall('do we use mocks in tests?'))[0]?.file).toBe('feedback_testing.md')
  expect(await memory.doctor()).toMatchObject({ ok: true })
  for (const [name, text] of Object.entries(files)) expect(read(directory, name)).toBe(text)
  expect(fs.readdirSync(directory).sort()).toEqual(Object.keys(files).sort())
  const { file, warnings } = await memory.save(draft('Linear', { type: 'reference' }))
  expect(warnings).toEqual([])
  expect(read(directory, 'MEMORY.md')).toBe(`${files['MEMORY.md']}- [Linear](${file}) — About Linear\n`)
  expect(read(directory, 'user_role.md')).toBe(files['user_role.md'])
  expect((await memory.history(file)).length).toBe(1)
})

test('a hook that a person wrote into the index finds the memory too', async () => {
  const { memory, directory } = await freshMemory()
  const { file } = await memory.save(draft('Deploys'))
  const index = join(directory, 'MEMORY.md')
  fs.writeFileSync(index, read(directory, 'MEMORY.md').replace('About Deploys', 'the giraffe pipeline'))
  expect((await memory.recall('giraffe')).map(hit => hit.file)).toEqual([file])
  expect(read(directory, 'MEMORY.md')).toContain('giraffe')
  await memory.save(draft('Other'))
  expect(read(directory, 'MEMORY.md')).toContain('giraffe')
  fs.writeFileSync(index, '')
  expect(await memory.recall('giraffe')).toEqual([])
})

test('an editor that saves in between wins, and ours is kept aside', async () => {
  const { memory, directory } = await freshMemory()
  const { file } = await memory.save(draft('Shared', { body: 'one' }))
  const full = await memory.get(file)
  fs.writeFileSync(join(directory, file), full.text.replace('one', 'theirs'))
  await expect(memory.rewrite(full, full.text.replace('one', 'ours'))).rejects.toThrow(ChangedMeanwhile)
  expect((await memory.get(file)).body).toBe('theirs')
  const trash = join(directory, '..', 'trash')
  expect(
    fs
      .readdirSync(trash)
      .map(name => fs.readFileSync(join(trash, name), 'utf8'))
      .join(),
  ).toContain('ours')
})

test.each(['../x.md', '/etc/passwd', 'a/b.md', 'a\\b.md', 'MEMORY.md', 'x', '', 'nul.md', 'a\u2215b.md'])(
  '%j is no file argument',
  async file => {
    const { memory } = await freshMemory()
    const acts: Array<() => Promise<unknown>> = [
      () => memory.get(file),
      () => memory.forget(file),
      () => memory.restore(file),
      () => memory.history(file),
      () => memory.pin(file),
    ]
    for (const act of acts) await expect(act()).rejects.toThrow(BadFileName)
  },
)

test('a plain word that names a memory finds it', async () => {
  const { memory } = await freshMemory()
  const { file } = await memory.save(
    draft('Lives in Lisbon', { description: 'Based in Lisbon', body: 'Since 2019.' }),
  )
  await memory.save(draft('Deploys', { description: 'The blue pipeline' }))
  expect((await memory.recall('where do I live?')).map(hit => hit.file)).toEqual([file])
})

test('Chinese works end to end', async () => {
  const { memory, directory } = await freshMemory()
  const { file } = await memory.save(
    draft('缩进', { description: '我喜欢用制表符缩进', body: '所有语言都用制表符，不用空格。' }),
  )
  await memory.save(draft('咖啡', { description: '早上喝咖啡', body: '不加糖。' }))
  expect(file).toMatch(/^user_[0-9a-f]{8}\.md$/)
  expect(read(directory, 'MEMORY.md')).toContain(`- [缩进](${file}) — 我喜欢用制表符缩进`)
  expect((await memory.recall('缩进 偏好')).map(hit => hit.file)).toEqual([file])
  expect(await memory.recall('巴黎的天气怎么样')).toEqual([])
  await memory.save(draft('空格', { body: '所有语言都一样。' }))
  expect(await memory.recall('今天天气怎么样？')).toEqual([])
})

test('a journal that cannot be written is said, and the memory is kept', async () => {
  const { memory, root } = await freshMemory()
  fs.mkdirSync(join(root, 'home', '.journal'), { recursive: true })
  const saved = await memory.save(draft('Kept'))
  expect(saved.warnings).toHaveLength(1)
  expect(saved.warnings[0]).toContain('was not made by Reverie')
  expect(await memory.get(saved.file)).toMatchObject({ name: 'Kept' })
})

test('the catalogue can be deleted at any time, or be damaged', async () => {
  const { memory, root, open } = await freshMemory()
  await memory.save(draft('Stays'))
  memory[Symbol.dispose]()
  const cache = join(root, 'home', 'cache')
  const [name = ''] = fs.readdirSync(cache).filter(file => file.endsWith('.sqlite'))
  fs.writeFileSync(join(cache, name), 'no database at all, but long enough to be looked at'.repeat(100))
  const mended = await open()
  expect(await mended.list()).toHaveLength(1)
  mended[Symbol.dispose]()
  const bytes = fs.readFileSync(join(cache, name))
  fs.writeFileSync(join(cache, name), bytes.fill(0xff, 4096, bytes.length))
  expect(await (await open()).recall('stays')).toHaveLength(1)
  fs.rmSync(cache, { recursive: true })
  expect(await (await open()).recall('stays')).toHaveLength(1)
})

test('an embedding model is a second signal, asked once per text, and never needed', async () => {
  const asked: string[] = []
  const concepts = [/car|automobile/i, /tea|drink/i, /deploy/i]
  const embedder = {
    model: 'fake/1',
    async embed(texts: readonly string[]) {
      asked.push(...texts)
      return texts.map(text => concepts.map(concept => (concept.test(text) ? 1 : 0.01)))
    },
  }
  const { memory, open, root } = await freshMemory({ embedder })
  await memory.save(draft('Drives an automobile'))
  await memory.save(draft('Tea'))
  await memory.save(draft('Deploying'))
  expect((await memory.recall('which car?')).map(({ file }) => file)).toEqual([
    'user_drives-an-automobile.md',
  ])
  expect(await memory.recall('quantum physics')).toEqual([])
  const broken = { model: 'fake/2', embed: () => Promise.reject(new Error('no network')) }
  const without = await freshMemory({ root, embedder: broken })
  expect((await without.memory.recall('tea')).map(({ file }) => file)).toEqual(['user_tea.md'])
  const before = asked.length
  expect((await (await open()).recall('which car?')).length).toBe(1)
  expect(asked.slice(before)).toEqual(['which car?'])
})
