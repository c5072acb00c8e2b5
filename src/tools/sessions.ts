import { z } from 'zod'
import { ROLES, type SessionIndex } from '../session/index.ts'
import { defineTool, type Tool } from './tool.ts'

const FOUND_AT_MOST = 8
const MOST_ASKED_FOR = 30

/** Looking up what was said in earlier conversations. */
export function sessionTools(
  index: () => SessionIndex,
  current: () => string,
  { onRecord = false }: { onRecord?: boolean } = {},
): Tool[] {
  return [
    defineTool({
      name: 'session_search',
      description:
        'Finds what was said in earlier conversations, best first, with when and by whom. What is worth keeping for good is in memory: search there first.',
      input: z.object({
        query: z.string().min(1),
        k: z.int().min(1).max(MOST_ASKED_FOR).optional(),
        role: z.enum(ROLES).optional().describe('said by whom'),
      }),
      readOnly: true,
      async run({ query, k = FOUND_AT_MOST, role }) {
        const sessions = index()
        await sessions.refresh()
        const found = await sessions.search(query, { limit: k + 3, onRecord, ...(role && { role }) })
        const earlier = found.filter(({ session }) => session !== current()).slice(0, k)
        return {
          text: JSON.stringify(
            earlier.map(({ session, title, at, role, snippet }) => ({ session, title, at, role, snippet })),
          ),
        }
      },
    }),
  ]
}
