import { z } from 'zod'
import type { Memory } from '../memory/index.ts'
import { defineTool, type Tool } from './tool.ts'

/** Of one note; more is a document, and no note. */
const LONGEST_NOTE = 4_000

/** For a conversation that does not end: the agent notes what happens, and dreams make memories of it. */
export function dailyLogTool(memory: Memory): Tool {
  return defineTool({
    name: 'memory_log',
    description:
      'Adds a note to the log of today: what happened, was decided, was found out, and why. One or two sentences each.',
    input: z.object({ text: z.string().trim().min(1).max(LONGEST_NOTE) }),
    async run({ text }) {
      await memory.noteInDailyLog(text)
      return { text: 'Noted.' }
    },
  })
}
