import { expect, test } from 'vitest'
import { headerAsMarkdown, messageAsMarkdown } from './markdown.ts'
import { NOW, replied, returned, said } from './session.fixture.ts'

const at = NOW.toLocaleString('sv').slice(0, 16)

test('a header tells what the conversation is', () => {
  const header = { kind: 'session', format: 1, id: 's-1', at: NOW.toISOString(), project: '/work' } as const
  expect(headerAsMarkdown({ ...header, source: { agent: 'codex', id: 'x' } }, 'Deploying')).toBe(
    `# Deploying\n\n*session s-1 · begun ${at} · in /work · imported from codex*\n`,
  )
  expect(headerAsMarkdown(header, '')).toContain('# Untitled conversation')
})

test.each([
  ['words', said('hello'), `## You · ${at}\n\nhello\n`],
  [
    'a call',
    replied('Let me see.', [['a', 'bash']]),
    `## Assistant · ${at}\n\nLet me see.\n\n**bash**\n\n\`\`\`json\n{}\n\`\`\`\n`,
  ],
  [
    'a result with a fence in it',
    returned('a', 'bash', '```\nx\n```'),
    `## Tool · ${at}\n\n**bash** returned\n\n\`\`\`\`\n\`\`\`\nx\n\`\`\`\n\`\`\`\`\n`,
  ],
  [
    'an attachment is a quotation',
    said('q', [{ type: 'attachment', kind: 'memory', origin: 'memory', text: 'a\n\nb' }]),
    `## You · ${at}\n\nq\n\n> *memory*\n>\n> a\n>\n> b\n`,
  ],
  ['nothing', { ...replied(''), parts: [{ type: 'thinking' as const, text: ' ' }] }, ''],
])('%s', (_, message, expected) => {
  expect(messageAsMarkdown(message)).toBe(expected)
})
