/** An agent that uses the tools of an MCP server: here Reverie's own, which lends the memory of this project. */
import { createAgent } from 'reverie'

await using agent = await createAgent({
  project: '.',
  memory: false,
  settings: {
    mcp: {
      servers: {
        lent: { command: 'reverie', args: ['mcp'], env: { REVERIE_HOME: process.env.REVERIE_HOME ?? '' } },
      },
    },
  },
  onPermission: async ({ tool }) => ({ answer: tool.startsWith('mcp__lent__') ? 'once' : 'no' }),
})

agent.on(event => {
  if (event.type === 'tool-ended') console.log(`${event.tool}: ${event.outcome}`)
})
const { text } = await agent.ask('Keep in memory that releases are on Fridays.')
console.log(text)
