import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { ownIdentity } from '../../store/index.ts'
import { TaskHands } from '../../tools/tasks.ts'
import { answer, READS, REMOVES, WRITES } from './answer.ts'
import type { Lender } from './lender.ts'

const TITLES: Readonly<Record<string, string>> = {
  task_create: 'Write down a task',
  task_get: 'Read a task',
  task_list: 'List tasks',
  task_update: 'Change a task',
  task_claim: 'Take a task',
  task_complete: 'Complete a task',
}

/** Fields differ with how it went; a reason stands where it did not work out. */
const ONE = z.looseObject({ id: z.int() })
const MANY = z.looseObject({ tasks: z.array(ONE) })

/**
 * The tasks of the project, with the tools that Reverie's own agent has. What a client claimed is free for others
 * when it leaves: `close` gives it back, and where the whole process dies, its tasks are its no more.
 */
export function registerTaskTools(server: McpServer, lender: Lender, client: string): TaskHands {
  const hands = new TaskHands({
    home: lender.home,
    // As it is when it is asked for: a client may tell later where it works.
    get project() {
      return lender.project
    },
    owner: () => ({
      name: `${server.server.getClientVersion()?.name ?? 'mcp'}:${client}`,
      process: ownIdentity(),
    }),
    onEvent: event => lender.tellOfTask(event),
    inTurn: lender.tasksInTurn,
  })
  for (const { name, description, input, readOnly, run } of hands.tools()) {
    const title = TITLES[name] ?? name
    const writes = name === 'task_update' ? REMOVES : WRITES
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        outputSchema: name === 'task_list' ? MANY : ONE,
        annotations: { ...(readOnly ? READS : writes), title },
      },
      async (given, { signal, requestId }) => {
        const problems: string[] = []
        const { text } = await run(given, {
          call: String(requestId),
          signal,
          ask: undefined,
          progress: problem => void problems.push(problem),
        })
        return answer({ ...JSON.parse(text), ...(problems.length > 0 && { warnings: problems }) })
      },
    )
  }
  return hands
}
