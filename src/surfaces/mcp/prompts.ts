import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { recalledText } from '../../memory/index.ts'
import type { Lender } from './lender.ts'

/** A prompt that a person picks to bring their memory into a conversation. */
export function registerPrompts(server: McpServer, lender: Lender): void {
  server.registerPrompt(
    'memory',
    {
      title: 'What Reverie remembers',
      description:
        'Brings the index of memories into the conversation and, with `about`, those that answer it.',
      argsSchema: { about: z.string().optional().describe('a question or a few words') },
    },
    async ({ about }) => {
      const { memory } = lender
      const recalled = about?.trim() ? recalledText(await memory.recall(about)) : ''
      const text = [await memory.prompt({ reader: 'lent' }), recalled]
        .filter(part => part !== '')
        .join('\n\n')
      return {
        description: 'What Reverie remembers',
        messages: [{ role: 'user', content: { type: 'text', text } }],
      }
    },
  )
}
