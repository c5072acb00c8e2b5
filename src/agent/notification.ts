import { type Message, newMessageId } from '../session/index.ts'

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
