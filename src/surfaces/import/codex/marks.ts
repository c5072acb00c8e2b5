import type { Marks } from '../injected.ts'

/** What Codex puts into the place where the person's words stand. */
export const CODEX_MARKS: Marks = {
  tags: [
    'environment_context',
    'user_instructions',
    'INSTRUCTIONS',
    'user_shell_command',
    'turn_aborted',
    'skill',
    'codex_internal_context',
    'goal_context',
    'permissions instructions',
    'collaboration_mode',
    'user_action',
    'model_switch',
    'stdin',
  ],
  messages: ['subagent_notification'],
  beginnings: ['# AGENTS.md instructions'],
  // The editor extension puts what is open in the editor before what was asked.
  preface: { begins: '# Context from my IDE setup:', ends: '## My request for Codex:' },
}
