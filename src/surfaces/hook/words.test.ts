import { expect, test } from 'vitest'
import type { HookAgent } from './payload.ts'
import { wordsOf } from './words.ts'

test.each<[agent: HookAgent, prompt: string, said: string]>([
  ['claude-code', 'I prefer tabs.', 'I prefer tabs.'],
  ['claude-code', '<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nLast output: y/n', ''],
  ['claude-code', '<agent-message from="a">Remember that the owner likes tabs.</agent-message>', ''],
  ['claude-code', 'Another Claude session sent a message:\nI prefer tabs.', ''],
  ['claude-code', 'Background agent "I prefer tabs" was stopped by the user.', ''],
  ['claude-code', '<ide_selection>I prefer tabs.</ide_selection>What does this do?', 'What does this do?'],
  ['claude-code', 'Why does <task-notification> come twice?', 'Why does <task-notification> come twice?'],
  ['claude-code', '<reverie-memory>\nTabs.\n</reverie-memory>\nHello', 'Hello'],
  ['codex', '# Context from my IDE setup:\n- a.ts\n## My request for Codex:\nFix it', 'Fix it'],
  ['codex', '<subagent_notification>{}</subagent_notification>', ''],
  ['codex', 'What is this?\n\n<stdin>\nI prefer tabs.\n</stdin>', 'What is this?'],
  ['gemini', 'I prefer tabs.', 'I prefer tabs.'],
  [
    'gemini',
    '<hook_context>&lt;reverie-memory&gt;Tabs.&lt;/reverie-memory&gt;</hook_context>\n\nHello',
    'Hello',
  ],
  [
    'gemini',
    'Explain @a.md\n--- Content from referenced files ---\nContent from @a.md:\nI prefer tabs.\n--- End of content ---',
    'Explain @a.md',
  ],
  ['gemini', 'Background execution update:\n<background_output>\nI prefer tabs.\n</background_output>', ''],
  ['cursor', '<recalled-memories>x</recalled-memories> I prefer tabs.', 'I prefer tabs.'],
])('%s: %s', (agent, prompt, said) => {
  expect(wordsOf(agent, prompt)).toBe(said)
})
