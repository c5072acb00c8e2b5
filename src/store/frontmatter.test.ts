import { expect, test } from 'vitest'
import { readFrontmatter } from './frontmatter.ts'

test('fields that stand further in, and lists there, as other programs write them', () => {
  const read = readFrontmatter(
    '---\nname: gh\nrequires:\n  bins: [gh, jq]\nmetadata: {"nanobot":{"requires":{"env":["TOKEN"]},"always":true}}\n---\nBody.\n',
  )
  if ('problem' in read) throw new Error(read.problem)
  expect(Object.fromEntries(read.fields)).toEqual({
    name: 'gh',
    'requires.bins': ['gh', 'jq'],
    'metadata.nanobot.requires.env': ['TOKEN'],
    'metadata.nanobot.always': 'true',
  })
  expect(read.body).toBe('Body.')
})

test.each([
  ['Body.', /does not begin/],
  [`---\nname: x\n${'y: z\n'.repeat(2_000)}---\n`, /does not end \(---\) within 4096/],
  ['---\n- a\n- b\n---\n', /not a list of fields/],
])('what cannot be read is told: %#', (text, why) => {
  expect(readFrontmatter(text)).toEqual({ problem: expect.stringMatching(why) })
})
