/** Payloads in the shape in which each agent's documentation, or its source, has them. */
import type { HookAgent, HookEvent } from './payload.ts'

interface Around {
  cwd: string
  transcript: string
  prompt: string
}

/** What an agent hands its hook for an event, as text. */
export function payloadFor(agent: HookAgent, event: HookEvent, around: Around): string {
  return JSON.stringify(SHAPES[agent](around)[event])
}

const ID = '6f1c1f0e-8a55-4f4f-9a5e-3d2b8a1c7e10'

const SHAPES: Readonly<Record<HookAgent, (around: Around) => Record<HookEvent, object>>> = {
  'claude-code': ({ cwd, transcript, prompt }) => {
    const about = { session_id: ID, transcript_path: transcript, cwd, permission_mode: 'default' }
    return {
      start: { ...about, hook_event_name: 'SessionStart', source: 'startup', model: 'claude-sonnet-5' },
      prompt: { ...about, hook_event_name: 'UserPromptSubmit', prompt },
      stop: { ...about, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' },
      end: { ...about, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
    }
  },
  codex: ({ cwd, transcript, prompt }) => {
    const about = {
      session_id: ID,
      transcript_path: transcript,
      cwd,
      model: 'gpt-5.5',
      permission_mode: 'default',
    }
    return {
      start: { ...about, hook_event_name: 'SessionStart', source: 'startup' },
      prompt: { ...about, turn_id: 't1', hook_event_name: 'UserPromptSubmit', prompt },
      stop: {
        ...about,
        turn_id: 't1',
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: null,
      },
      end: {
        session_id: ID,
        transcript_path: transcript,
        cwd,
        hook_event_name: 'SessionEnd',
        reason: 'other',
      },
    }
  },
  gemini: ({ cwd, transcript, prompt }) => {
    const about = { session_id: ID, transcript_path: transcript, cwd, timestamp: '2026-11-18T09:00:00.000Z' }
    return {
      start: { ...about, hook_event_name: 'SessionStart', source: 'startup' },
      prompt: { ...about, hook_event_name: 'BeforeAgent', prompt },
      stop: {
        ...about,
        hook_event_name: 'AfterAgent',
        prompt,
        prompt_response: 'Done.',
        stop_hook_active: false,
      },
      end: { ...about, hook_event_name: 'SessionEnd', reason: 'exit' },
    }
  },
  cursor: ({ cwd, prompt }) => {
    const about = {
      conversation_id: ID,
      generation_id: 'g1',
      model: 'gpt-5.5',
      cursor_version: '3.20.17',
      workspace_roots: [cwd],
      user_email: null,
      transcript_path: null,
    }
    return {
      start: {
        ...about,
        hook_event_name: 'sessionStart',
        session_id: ID,
        is_background_agent: false,
        composer_mode: 'agent',
      },
      prompt: { ...about, hook_event_name: 'beforeSubmitPrompt', prompt, attachments: [] },
      stop: { ...about, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
      end: {
        ...about,
        hook_event_name: 'sessionEnd',
        session_id: ID,
        reason: 'user_close',
        duration_ms: 1000,
      },
    }
  },
}
