import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { ROLES } from '../../session/index.ts'
import { answer, READS } from './answer.ts'
import type { Lender } from './lender.ts'

const FOUND_UNLESS_TOLD = 8
const MOST_FOUND = 30

/** What was said in earlier conversations. */
export function registerSessionTools(server: McpServer, lender: Lender): void {
  server.registerTool(
    'session_search',
    {
      title: 'Search conversations',
      description:
        'Finds what was said in earlier conversations, best first, with when and by whom. What is worth keeping for good is in memory: search there first.',
      inputSchema: {
        query: z.string().min(1),
        k: z.int().min(1).max(MOST_FOUND).default(FOUND_UNLESS_TOLD).describe('how many at most'),
        role: z.enum(ROLES).optional().describe('said by whom'),
      },
      outputSchema: {
        turns: z.array(
          z.object({
            session: z.string(),
            title: z.string(),
            at: z.string(),
            role: z.enum(ROLES),
            snippet: z.string(),
          }),
        ),
        problem: z.string().optional().describe('why something may be missing'),
      },
      annotations: { ...READS, title: 'Search conversations' },
    },
    async ({ query, k, role }) => {
      const { problem } = await lender.sessions.refresh({ background: true })
      const hits = await lender.sessions.search(query, { limit: k, ...(role && { role }) })
      const turns = hits.map(({ session, title, at, role, snippet }) => ({
        session,
        title,
        at,
        role,
        snippet,
      }))
      return answer({ turns, ...(problem !== undefined && { problem }) })
    },
  )
}
