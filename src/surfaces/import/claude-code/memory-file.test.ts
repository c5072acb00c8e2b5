import { expect, test } from 'vitest'
import { readMemoryFile } from './memory-file.ts'

test('both forms of frontmatter that Claude Code has written', () => {
  expect(
    readMemoryFile(
      'user_tabs.md',
      '---\nname: Prefers tabs\ndescription: Tabs\ntype: user\npinned: true\n---\n\nUse tabs.\n',
    ),
  ).toEqual({
    draft: {
      type: 'user',
      name: 'Prefers tabs',
      description: 'Tabs',
      body: 'Use tabs.',
      scope: 'project',
      pinned: true,
    },
    at: undefined,
  })
  expect(
    readMemoryFile(
      'deploys.md',
      '---\nname: deploys\ndescription: "On Friday: always"\nmetadata: \n  node_type: memory\n  type: project\n  modified: 2026-01-05T10:00:00.000Z\n---\n\nOn Fridays.\n',
    ),
  ).toEqual({
    draft: {
      type: 'project',
      name: 'deploys',
      description: 'On Friday: always',
      body: 'On Fridays.',
      scope: 'project',
    },
    at: new Date('2026-01-05T10:00:00Z'),
  })
})

test('a description with a colon in it is taken at its word', () => {
  expect(
    readMemoryFile(
      'a.md',
      '---\nname: a\ndescription: Rule: never: ever\nmetadata:\n  type: feedback\n---\nx',
    ),
  ).toMatchObject({ draft: { type: 'feedback', description: 'Rule: never: ever' } })
})

test.each<[what: string, text: string, problem: RegExp]>([
  ['no frontmatter', '# Debugging\n', /does not begin with frontmatter/],
  ['no end', '---\nname: x\n', /does not begin with frontmatter/],
  ['another type', '---\nname: x\ntype: report\n---\n', /its type is "report"/],
  ['no type', '---\nname: x\n---\n', /it has no type/],
  ['a list', '---\n- a\n---\n', /is not a list of fields/],
  ['broken', '---\n{[\n---\n', /cannot be read/],
  ['nested without end', `---\n${'['.repeat(10_000)}\n---\n`, /cannot be read/],
  ['aliases', '---\na: &a [x]\nb: [*a, *a]\ntype: user\n---\n', /cannot be read/],
])('refused: %s', (_, text, problem) => {
  expect(readMemoryFile('x.md', text)).toEqual({ problem: expect.stringMatching(problem) })
})
