import { expect, test } from 'vitest'
import { isTemplate, notesIn } from './notes.ts'

test('one note a section; what is still the template is left out', () => {
  const markdown = `# Long-term Memory

This file stores important information that should persist across sessions.

## User Information

- Lives in Lisbon

## Project Context

\`\`\`
## not a heading
\`\`\`

## Preferences

(User preferences learned over time)

## Deadlines ##

Ship in May.

## Deadlines

Ship in June.

---

*This file is automatically updated by nanobot.*
`
  expect(notesIn(markdown)).toEqual([
    { name: 'User Information', description: 'Lives in Lisbon', type: 'user', body: '- Lives in Lisbon' },
    { name: 'Project Context', description: '```', type: 'project', body: '```\n## not a heading\n```' },
    { name: 'Deadlines', description: 'Ship in May.', type: 'project', body: 'Ship in May.' },
    { name: 'Deadlines (2)', description: 'Ship in June.', type: 'project', body: 'Ship in June.' },
  ])
})

test('a file without sections is one note', () => {
  expect(notesIn('# Memory\r\n\r\nThe server is in Frankfurt.\r\n')).toEqual([
    {
      name: 'Notes from nanobot',
      description: 'The server is in Frankfurt.',
      type: 'project',
      body: 'The server is in Frankfurt.',
    },
  ])
  expect(notesIn('')).toEqual([])
})

test.each([
  ['用户信息', 'user'],
  ['Communication Preferences', 'user'],
  ['About Me', 'user'],
  ['Infrastructure', 'project'],
  ['Users table', 'project'],
])('%s is %s', (title, type) => {
  expect(notesIn(`## ${title}\n\nx y`)[0]?.type).toBe(type)
})

test('templates', () => {
  expect(isTemplate('# User\n\n- **Name**: (your name)\n- [ ] Casual\n- \n---\n*Edit this file.*\n')).toBe(
    true,
  )
  expect(isTemplate('# User\n\n- **Name**: Ada\n')).toBe(false)
})
