import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { loadDefinitions, parseDefinition } from './definition.ts'

test('the ones that are built in are whole', async () => {
  const root = temporaryDirectory()
  const { agents, problems } = await loadDefinitions(homeAt(join(root, 'home')), { root })
  expect([...agents.keys()]).toEqual(['explore', 'general', 'plan'])
  expect(problems).toEqual([])
  expect(agents.get('explore')).toMatchObject({ source: 'built-in', model: 'small', memory: undefined })
  expect(agents.get('explore')?.tools).toContain('grep')
  expect(agents.get('general')?.tools).toBeUndefined()
})

test('the owner may replace, a project only adds, and what defines none is told', async () => {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const define = (directory: string, name: string, more = '') => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `${name}.md`), `---\nname: ${name}\ndescription: d\n${more}---\n\nDo it.\n`)
  }
  define(join(home.path, 'agents'), 'plan', 'model: anthropic/x\n')
  define(join(root, '.reverie', 'agents'), 'explore')
  define(join(root, '.reverie', 'agents'), 'reviewer', 'tools: [read_file, grep]\nmemory: local\n')
  writeFileSync(join(root, '.reverie', 'agents', 'notes.md'), 'no frontmatter')
  const { agents, problems } = await loadDefinitions(home, { root })
  expect(agents.get('plan')).toMatchObject({ source: 'owner', model: 'anthropic/x' })
  expect(agents.get('explore')?.source).toBe('built-in')
  expect(agents.get('reviewer')).toMatchObject({
    source: 'project',
    tools: ['read_file', 'grep'],
    memory: 'local',
  })
  expect(problems).toHaveLength(2)
})

test('a project’s agent does not write into what is remembered everywhere', () => {
  const text = '---\nname: a\ndescription: d\nmemory: user\n---\nb'
  expect(parseDefinition(text, 'project')).toMatchObject({ problem: expect.stringMatching(/everywhere/) })
  expect(parseDefinition(text, 'owner')).toMatchObject({ memory: 'user' })
})

test.each([
  ['', /frontmatter/],
  ['---\nname: X Y\ndescription: d\n---\nb', /name/],
  ['---\nname: a\n---\nb', /description/],
  ['---\nname: a\ndescription: d\nmemory: everything\n---\nb', /memory/],
  ['---\nname: a\ndescription: d\n---\n', /body/],
])('%j is refused', (text, why) => {
  expect(parseDefinition(text, 'owner')).toMatchObject({ problem: expect.stringMatching(why) })
})
