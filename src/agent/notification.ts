import { type Message, newMessageId } from '../session/index.ts'
import type { BackgroundTask, TaskEnd } from '../work/index.ts'

/** News of work in the background, as part of the next message. Each is told once. */
export function notification(name: string, news: object, now: Date): Message {
  return {
    id: newMessageId(),
    role: 'user',
    origin: 'notification',
    at: now.toISOString(),
    parts: [
      {
        type: 'attachment',
        kind: 'notification',
        origin: 'notification',
        name,
        text: JSON.stringify(news),
      },
    ],
  }
}

/** What the agent is told of the end of a task. */
export function newsOf({ kind: _, by: __, title: ___, ...news }: TaskEnd): object {
  return news
}

/** The same of one that ended with the process that ran it. */
export function lostNews({ id, status, summary, outputFile }: BackgroundTask): object {
  return { id, status, summary, outputFile }
}
