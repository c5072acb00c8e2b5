import { z } from 'zod'
import { defineTool, type TodoItem, type Tool } from './tool.ts'

const MOST_ITEMS = 100

/** The light list of what is still to be done in this conversation. */
export function todoTool(): Tool {
  return defineTool({
    name: 'todo',
    description:
      'Writes down the steps of the work at hand, the whole list each time. Keep exactly one step in_progress while you work; leave the list alone for anything that takes one or two steps.',
    input: z.object({
      items: z
        .array(z.object({ text: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) }))
        .max(MOST_ITEMS),
    }),
    async run({ items }) {
      return { text: summary(items), effects: [{ kind: 'todo', items }] }
    },
  })
}

function summary(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The list is empty.'
  const done = items.filter(({ status }) => status === 'completed').length
  const current = items.find(({ status }) => status === 'in_progress')
  return `${done} of ${items.length} done.${current ? ` Now: ${current.text}` : ''}`
}
