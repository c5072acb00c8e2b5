import { expect, test } from 'vitest'
import type { Recalled } from '../memory/index.ts'
import { said } from '../session/session.fixture.ts'
import { metadataAttachment, recalledAttachment, recalledIn } from './attachments.ts'

const memory: Recalled = {
  file: 'user_tabs.md',
  scope: 'user',
  name: 'Tabs',
  description: 'd',
  type: 'user',
  origin: 'owner',
  pinned: false,
  score: 1,
  ageDays: 3,
  stale: true,
  snippet: 's',
  note: 'saved 3 days ago',
}

test('metadata tells the time where the person is, and the directory', () => {
  const { text, origin } = metadataAttachment(new Date(2026, 3, 8, 9, 5), '/work')
  expect(text).toMatch(/^time: 2026-04-08 09:05, Wednesday \(.+\)\nworking directory: \/work$/)
  expect(origin).toBe('program')
})

test('what was recalled is known from the conversation, whatever else is attached', () => {
  const attachment = recalledAttachment([memory, { ...memory, scope: 'project' }])
  expect(attachment.text).toContain('saved 3 days ago')
  const odd = { ...attachment, text: 'not json' }
  const other = { ...attachment, kind: 'file' }
  expect(recalledIn([said('a', [attachment, odd, other]), said('b')])).toEqual([
    'user/user_tabs.md',
    'project/user_tabs.md',
  ])
})
