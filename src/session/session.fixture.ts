import { join } from 'node:path'
import { homeAt } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { newMessageId } from './ids.ts'
import type { Message, Part } from './message.ts'
import { Sessions } from './sessions.ts'

export const NOW = new Date('2026-04-08T12:00:00.000Z')

/** The sessions of a project in a home of their own. */
export function temporarySessions(now = () => NOW): Sessions {
  return new Sessions(homeAt(join(temporaryDirectory(), 'home')), { slug: 'p-1', root: '/work' }, { now })
}

export function said(text: string, parts: readonly Part[] = []): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'person',
    at: NOW.toISOString(),
    parts: [{ type: 'text', text }, ...parts],
  }
}

export function replied(text: string, calls: ReadonlyArray<[call: string, tool: string]> = []): Message {
  return {
    id: newMessageId(),
    role: 'assistant',
    origin: 'model',
    at: NOW.toISOString(),
    parts: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(([call, tool]) => ({ type: 'tool-call' as const, call, tool, input: {} })),
    ],
    model: 'fake/one',
    usage: { input: 100, output: 10, cacheRead: 50, cacheWrite: 0, usd: 0.01 },
  }
}

export function returned(call: string, tool: string, text = 'done'): Message {
  return {
    id: newMessageId(),
    role: 'tool',
    origin: 'tool',
    at: NOW.toISOString(),
    parts: [{ type: 'tool-result', call, tool, outcome: 'ok', content: [{ type: 'text', text }] }],
  }
}
