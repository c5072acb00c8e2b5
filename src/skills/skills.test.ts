import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { homeAt, loadConfig } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { disableSkill, enableSkill } from './enabling.ts'
import { readSkill } from './skill.ts'
import { Skills, type SkillsOptions } from './skills.ts'
import { readUses, recordUse, scoreAt } from './uses.ts'

function workplace(more: Partial<SkillsOptions> = {}) {
  const base = temporaryDirectory()
  const [home, root] = [homeAt(join(base, 'home')), join(base, 'project')]
  const directory = join(root, 'packages', 'app')
  mkdirSync(directory, { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const skill = (place: string, name: string, head = 'description: d', body = 'Do it.') =>
    write(join(place, name, 'SKILL.md'), `---\n${head}\n---\n${body}\n`)
  const options = { home, project: { root }, directory, env: {}, disabled: [], ...more }
  const open = (now: Partial<SkillsOptions> = {}) => new Skills({ ...options, ...now })
  return { base, home, root, own: join(home.path, 'skills'), directory, write, skill, open }
}

const ours = (skills: Skills) => skills.find().skills.filter(({ source }) => source !== 'built-in')
const names = (skills: Skills) => ours(skills).map(({ name, source }) => `${name} (${source})`)

test('those that come with Reverie are whole, and nothing is wrong with them', () => {
  const { open } = workplace()
  const { skills, problems } = open().find()
  expect(problems).toEqual([])
  expect(skills.map(({ name, status }) => [name, status])).toEqual([
    ['cron', 'ready'],
    ['memory', 'ready'],
    ['skill-creator', 'ready'],
  ])
  for (const { description } of skills) expect(description.length).toBeLessThan(230)
})

test('the owner replaces, a project adds: from where the person is up to its root, and no further', () => {
  const { base, root, own, directory, skill, open } = workplace()
  skill(own, 'cron', 'description: mine')
  skill(join(directory, '.claude/skills'), 'near', 'description: near')
  skill(join(root, '.agents/skills'), 'near', 'description: far')
  skill(join(root, '.reverie/skills'), 'cron', 'description: theirs')
  skill(join(base, '.reverie/skills'), 'above')
  const { skills, problems } = open().find()
  expect(skills.find(({ name }) => name === 'cron')).toMatchObject({ source: 'owner', description: 'mine' })
  expect(skills.find(({ name }) => name === 'near')).toMatchObject({ description: 'near' })
  expect(skills.some(({ name }) => name === 'above')).toBe(false)
  expect(problems.map(({ path }) => path)).toEqual([
    join(root, '.reverie/skills/cron/SKILL.md'),
    join(root, '.agents/skills/near/SKILL.md'),
  ])
})

test('what cannot be used is told, and takes nothing else with it', () => {
  const { base, root, own, skill, write, open } = workplace()
  skill(own, 'good')
  skill(own, 'Bad_Name')
  skill(own, 'no-words', 'description: d', '')
  skill(own, 'no-description', 'name: x')
  skill(own, 'large', 'description: d', 'x'.repeat(100_001))
  write(join(own, 'plain', 'SKILL.md'), 'Just text.')
  mkdirSync(join(own, 'directory', 'SKILL.md'), { recursive: true })
  mkdirSync(join(own, 'notes'))
  const places = join(root, '.reverie/skills')
  skill(join(base, 'elsewhere'), 'secret')
  mkdirSync(join(places, 'linked'), { recursive: true })
  symlinkSync(join(base, 'elsewhere/secret/SKILL.md'), join(places, 'linked', 'SKILL.md'))
  symlinkSync(join(base, 'elsewhere/secret'), join(places, 'whole'))
  symlinkSync('circle', join(places, 'circle'))
  const skills = open()
  expect(names(skills)).toEqual(['good (owner)'])
  const told = skills.find().problems.map(({ path, problem }) => `${path.split('/').at(-2)}: ${problem}`)
  expect(told.join('\n')).toMatch(
    /^Bad_Name: .*lower case.*\ndirectory: .*plain file\nlarge: .*100 KB.*\nno-description: .*description.*\nno-words: nothing.*\nplain: .*frontmatter.*\ncircle: .*\nlinked: .*leads out of its directory\nwhole: .*leads out of the project$/,
  )
})

test('why one is of no use here: a program, a variable, a system; as other agents write it, too', () => {
  const { base, own, write, skill, open } = workplace()
  write(join(base, 'bin', 'there'), '')
  chmodSync(join(base, 'bin', 'there'), 0o755)
  write(join(base, 'bin', 'no-program'), '')
  skill(own, 'a', 'description: d\nrequires:\n  programs: [there]\n  variables: [TOKEN]')
  skill(own, 'b', 'description: d\nrequires: {bins: [there, no-program], env: [NOT_SET]}')
  skill(own, 'c', 'description: d\nmetadata: {"nanobot":{"requires":{"bins":["missing"]},"always":true}}')
  skill(own, 'd', 'description: d\nos: [plan9]')
  const skills = open({ env: { PATH: join(base, 'bin'), TOKEN: 'x' } })
  expect(ours(skills).map(({ name, reason }) => [name, reason])).toEqual([
    ['a', undefined],
    ['b', 'it needs the program no-program, the variable NOT_SET'],
    ['c', 'it needs the program missing'],
    ['d', 'it is for plan9'],
  ])
  expect(() => skills.load('b')).toThrow('cannot be used: it needs the program no-program')
  expect(() => skills.load('memry')).toThrow('Did you mean memory?')
})

test('the most used come first, by everybody who uses them; a use counts half a week later', async () => {
  const { home, own, skill, open } = workplace()
  for (const name of ['a', 'b', 'c']) skill(own, name)
  const day = (n: number) => new Date(Date.UTC(2026, 3, n))
  await Promise.all(Array.from({ length: 8 }, () => recordUse(home, 'b', day(1))))
  expect(readUses(home).b).toEqual({ score: 8, at: day(1).toISOString() })
  const before = open({ now: () => day(15) })
  for (let use = 0; use < 3; use++) await recordUse(home, 'c', day(15))
  expect(scoreAt(readUses(home).b, day(15))).toBe(2)
  // Whoever has begun goes on with the order that it began with.
  expect(names(before).map(name => name[0])).toEqual(['b', 'a', 'c'])
  expect(names(open({ now: () => day(15) })).map(name => name[0])).toEqual(['c', 'b', 'a'])
  writeFileSync(join(home.path, 'skill-uses.json'), '{"a": {"score": "many"}, "b"')
  expect(names(open()).map(name => name[0])).toEqual(['a', 'b', 'c'])
})

test('one that is proposed waits for the owner, in nobody’s way; any can be put aside and taken back', async () => {
  const { home, root, own, skill, open } = workplace()
  skill(own, 'cron', 'name: cron\nenabled: false\ndescription: better')
  skill(join(root, '.reverie/skills'), 'draft', 'enabled: false\ndescription: d')
  const disabled = async () =>
    (await loadConfig({ home, project: { root, slug: 'p' }, env: {}, flags: {} })).config.skills.disabled
  const find = async (name: string, at = 0) =>
    open({ disabled: await disabled() })
      .find()
      .skills.filter(skill => skill.name === name)[at]
  expect(await find('cron')).toMatchObject({ source: 'built-in', status: 'ready' })
  const proposed = await find('cron', 1)
  expect(proposed).toMatchObject({ status: 'proposed', description: 'better' })
  expect(await find('draft')).toBeUndefined()
  if (proposed) await enableSkill(home, proposed, [])
  expect(await find('cron')).toMatchObject({ source: 'owner', status: 'ready', description: 'better' })
  expect(readFileSync(join(own, 'cron/SKILL.md'), 'utf8')).toBe(
    '---\nname: cron\ndescription: better\n---\nDo it.\n',
  )
  await disableSkill(home, 'memory', await disabled())
  const aside = await find('memory')
  expect(aside).toMatchObject({ status: 'disabled' })
  if (aside) await enableSkill(home, aside, await disabled())
  expect(await find('memory')).toMatchObject({ status: 'ready' })
})

test('files that lie beside it: named, loaded, and nothing that lies elsewhere', () => {
  const { base, own, skill, write, open } = workplace()
  skill(own, 'api')
  write(join(own, 'api/references/a.md'), 'All of it.')
  write(join(own, 'api/.hidden'), '')
  write(join(own, 'api/image.png'), 'a\0b')
  write(join(base, 'secret'), 'key')
  symlinkSync(join(base, 'secret'), join(own, 'api/link'))
  const skills = open()
  expect(skills.load('api').files).toEqual(['image.png', 'references/a.md'])
  expect(skills.loadFile('api', 'references/a.md')).toBe('All of it.')
  for (const file of ['../../../secret', join(base, 'secret'), 'link', 'references', 'image.png', 'none'])
    expect(() => skills.loadFile('api', file)).toThrow(`${file} of the skill api`)
})

test.each([
  ['src/**/*.ts', 'src/a/b.ts', true],
  ['src/**/*.ts', 'src/b.ts', true],
  ['src/**/*.ts', 'lib/b.ts', false],
  ['*.sql', 'deep/er/x.sql', true],
  ['./docs/{a,b}/**', 'docs/b/c.md', true],
  ['!src/**', 'lib/x', false],
])('%s and %s: %s', (pattern, path, fits) => {
  const { root, own, skill, open } = workplace()
  skill(own, 'p', `description: d\npaths: ["${pattern}"]`)
  expect(open().fitting(join(root, path)).length > 0).toBe(fits)
  expect(open().fitting(join(root, '..', path))).toEqual([])
})

test('a pattern that would take long to compare is refused', () => {
  const read = readSkill(
    `---\ndescription: d\npaths: ['${'*a'.repeat(40)}', '${'**/'.repeat(5)}x', 'a.ts']\n---\nb`,
  )
  expect(read).toMatchObject({ head: { paths: ['a.ts'] }, remarks: [expect.anything(), expect.anything()] })
})

test('no head of a file makes reading it throw', () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('[a, b', '{x: {y: z}}', '&a [*a]', '|', '!!js/x 1', 'yes'),
  )
  const key = fc.constantFrom(
    'description',
    'paths',
    'requires',
    'always',
    'enabled',
    'os',
    'metadata',
    '__proto__',
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value)), fields => {
      const read = readSkill(`---\n${fields.map(([name, text]) => `${name}: ${text}`).join('\n')}\n---\nb`)
      if ('head' in read) expect(read.head.description).toMatch(/^[^\n]+$/)
      else expect(read.problem).not.toBe('')
    }),
  )
})
