import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { registerDreamTools } from './dream-tools.ts'
import type { Lender } from './lender.ts'
import { registerMemoryTools } from './memory-tools.ts'
import { registerPrompts } from './prompts.ts'
import { offerResources } from './resources.ts'
import { RootsFirst } from './roots.ts'
import { registerSessionTools } from './session-tools.ts'
import { registerTaskTools } from './task-tools.ts'

const INSTRUCTIONS = new URL('../../../prompts/lent/mcp.md', import.meta.url)
const PACKAGE = new URL('../../../package.json', import.meta.url)
/** Array elements and object members of one call's arguments; ours have a handful. */
const MOST_ARGUMENTS = 10_000

/** One client, for as long as it is connected. */
export interface Served {
  /** Ends the connection and gives back what the client had claimed. */
  close(): Promise<void>
  /** Settled when that is done, whoever ended it. */
  closed: Promise<void>
}

export interface ServeOptions {
  /** Told where the client works, when that is somewhere else, before anything else is done for it. */
  move?: ((directory: string) => Promise<void>) | undefined
}

/** Lends memory to one client over a transport. */
export async function serveClient(
  lender: Lender,
  given: Transport,
  { move }: ServeOptions = {},
): Promise<Served> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
  const server = new McpServer(
    { name: 'reverie', title: 'Reverie', version },
    {
      instructions: (await readFile(INSTRUCTIONS, 'utf8')).replaceAll('\r\n', '\n').trim(),
      maxToolInputElements: MOST_ARGUMENTS,
    },
  )
  registerMemoryTools(server, lender)
  registerSessionTools(server, lender)
  registerDreamTools(server, lender)
  const tasks = registerTaskTools(server, lender, randomBytes(4).toString('hex'))
  registerPrompts(server, lender)
  const stopResources = offerResources(server.server, lender)
  const closed = new Promise<void>((resolve, reject) => {
    server.server.onclose = () => {
      stopResources()
      tasks.close().then(resolve, reject)
    }
  })
  const rooted = move && new RootsFirst(given)
  if (move) rooted?.follow(server.server, move)
  await server.connect(rooted ?? given)
  return {
    closed,
    async close() {
      await server.close()
      await closed
    },
  }
}
