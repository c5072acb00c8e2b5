import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { draft, freshMemory } from './memory.fixture.ts'

async function broken() {
  const fresh = await freshMemory()
  const { memory, directory } = fresh
  for (const name of ['Alpha', 'Beta', 'Gamma']) await memory.save(draft(name))
  const put = (file: string, text: string) => fs.writeFileSync(join(directory, file), text)
  return { ...fresh, put, index: join(directory, 'MEMORY.md') }
}

test('finds every kind of problem, and touches nothing', async () => {
  const { memory, directory, put, index, root } = await broken()
  put('README.md', `just a note ghp_${'a1B2'.repeat(9)}`)
  put('user_open.md', '---\nname: x\n')
  put('user_type.md', '---\nname: x\ntype: nonsense\n---\n')
  put('user_twin.md', '---\nname: ALPHA\ndescription: d\ntype: user\n---\n')
  put('user_BETA.md', '---\nname: other\ndescription: d\ntype: user\n---\n')
  put('user_key.md', `---\nname: key\ndescription: d\ntype: user\n---\nghp_${'a1B2'.repeat(9)}\n`)
  fs.writeFileSync(join(directory, 'user_bytes.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe, 0x80]))
  fs.writeFileSync(join(root, 'outside.md'), '---\nname: o\ntype: user\n---\n')
  fs.symlinkSync(join(root, 'outside.md'), join(directory, 'user_out.md'))
  fs.symlinkSync(join(root, 'nowhere.md'), join(directory, 'user_nowhere.md'))
  const lines = fs.readFileSync(index, 'utf8').replace(/.*user_gamma.*\n/, '')
  fs.writeFileSync(
    index,
    `${lines.replace('About Alpha', 'long '.repeat(60))}- [Gone](user_gone.md) — gone\nghp_${'a1B2'.repeat(9)}\n`,
  )
  const before = fs.readFileSync(index, 'utf8')
  const { ok, problems } = await memory.doctor()
  expect(ok).toBe(false)
  const found = new Set(problems.map(({ kind, file }) => `${kind} ${file}`))
  for (const expected of [
    'no-frontmatter README.md',
    'malformed-frontmatter user_open.md',
    'invalid-type user_type.md',
    'secret user_key.md',
    'secret README.md',
    'secret MEMORY.md',
    'unreadable user_bytes.md',
    'unreadable user_nowhere.md',
    'symlink-out user_out.md',
    'dangling-index-line user_gone.md',
    'missing-index-line user_gamma.md',
    'long-index-line user_alpha.md',
  ])
    expect(found).toContain(expected)
  expect(problems.some(({ kind, file }) => kind === 'duplicate-name' && /alpha|twin/.test(file))).toBe(true)
  expect(problems.some(({ kind, file }) => kind === 'case-collision' && /beta/i.test(file))).toBe(true)
  expect(JSON.stringify(problems)).not.toContain('ghp_')
  expect(fs.readFileSync(index, 'utf8')).toBe(before)
})

test('mends the index and nothing else, in the journal', async () => {
  const { memory, directory, put, index } = await broken()
  put('user_type.md', '---\nname: x\ntype: nonsense\n---\n')
  fs.writeFileSync(
    index,
    `# Mine\n\nprose\n- [Alpha](user_alpha.md) — ${'long '.repeat(60)}\n- [Gone](user_gone.md)\n`,
  )
  const files = fs.readdirSync(directory).filter(file => file.startsWith('user'))
  const before = files.map(file => fs.readFileSync(join(directory, file), 'utf8'))
  const { ok, problems, fixed } = await memory.doctor({ fix: true })
  expect(ok).toBe(false)
  expect(problems.map(({ kind }) => kind)).toEqual(['invalid-type'])
  expect(fixed.map(({ kind }) => kind).sort()).toEqual([
    'dangling-index-line',
    'long-index-line',
    'missing-index-line',
    'missing-index-line',
  ])
  const text = fs.readFileSync(index, 'utf8')
  expect(text.startsWith('# Mine\n\nprose\n- [Alpha](user_alpha.md) — About Alpha\n')).toBe(true)
  expect(text).toContain('user_beta.md')
  expect(text).not.toContain('user_gone.md')
  expect(files.map(file => fs.readFileSync(join(directory, file), 'utf8'))).toEqual(before)
  expect(await memory.doctor({ fix: true })).toMatchObject({ fixed: [] })
  fs.rmSync(join(directory, 'user_type.md'))
  expect(await memory.doctor()).toMatchObject({ ok: true })
})

test('an index that somebody made too long is reported and brought below the caps', async () => {
  const { memory, index } = await broken()
  const lines = Array.from({ length: 210 }, (_, n) => `- [Gone ${n}](user_gone${n}.md)`)
  fs.appendFileSync(index, `${lines.join('\n')}\n`)
  const kinds = (await memory.doctor()).problems.map(({ kind }) => kind)
  expect(kinds).toContain('index-over-cap')
  expect(await memory.doctor({ fix: true })).toMatchObject({ ok: true })
})

test('links in every usual notation count as lines of the index', async () => {
  const { memory, index } = await broken()
  fs.writeFileSync(index, '- [A](./user_alpha.md) a\n1. [B](user_beta.md)\n* **[C](user_gamma.md)** - c\n')
  expect(await memory.doctor()).toMatchObject({ ok: true })
  fs.appendFileSync(index, '2. [x](user_gone.md)\n')
  expect((await memory.doctor()).problems).toMatchObject([
    { kind: 'dangling-index-line', file: 'user_gone.md' },
  ])
})
