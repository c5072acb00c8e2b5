import { z } from 'zod'
import { defineTool, type Tool } from '../tools/index.ts'
import type { Connection } from './connection.ts'
import type { OfferedTool } from './offered-tool.ts'
import { errorText, toOutput } from './output.ts'
import { ServerTrouble } from './trouble.ts'

/** Whoever made the tool checks what it is given: a stranger's schema is shown, and not run. */
const ANYTHING = z.looseObject({})

/** A server's tool as one of the agent's. */
export function lentTool(connection: Connection, offered: OfferedTool): Tool {
  const { name, remote, server, description, schema, saysReadOnly } = offered
  return defineTool({
    name,
    description,
    input: ANYTHING,
    form: schema,
    // A server may say what it likes; it is believed where the owner says so.
    readOnly: saysReadOnly && connection.trustsHints,
    // Whether its own calls get along with each other is the server's to know.
    concurrent: saysReadOnly,
    async run(input, { signal, progress }) {
      const result = await connection.call(remote, input, { signal, progress })
      if (result.isError) throw new ServerTrouble(errorText(server, result))
      return toOutput(server, result)
    },
  })
}
