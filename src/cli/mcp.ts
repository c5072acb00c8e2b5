import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Command } from 'commander'
import { MemoryIsOff } from '../memory/index.ts'
import { Invocation } from './invocation.ts'
import { defineServerCommands } from './mcp-servers.ts'
import { readPort } from './port.ts'

const EXAMPLES = `
Examples:
  $ claude mcp add reverie -- reverie mcp        another agent starts it by itself
  $ reverie mcp --http --port 4181               for programs that connect to an address

The other way round, servers lend their tools to Reverie:
  $ reverie mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv
  $ reverie mcp add docs --url https://example.org/mcp --header 'Authorization: Bearer \${DOCS_TOKEN}'
  $ reverie mcp test files

With --http, \`reverie keys create NAME\` makes a key that lets a program in; without any, one is made for this run.
`
const DEFAULT_PORT = 4181

interface McpFlags {
  http?: boolean
  port: number
}

export function define(command: Command): void {
  defineServerCommands(command)
  command
    .option('--http', 'listen on 127.0.0.1 instead of standard input and output')
    .option('--port <n>', 'where, with --http; 0 for any free one', readPort, DEFAULT_PORT)
    .addHelpText('after', EXAMPLES)
    .action(async ({ http = false, port }: McpFlags, self: Command) => {
      const invocation = new Invocation(self)
      if (!invocation.flags.memory) throw new MemoryIsOff('With --no-memory there is nothing to lend.')
      const { openedDirectory } = await import('../surfaces/mcp/index.ts')
      const opened = openedDirectory(invocation.env)
      if (opened !== undefined) invocation.flags.project ??= opened
      using memories = new DisposableStack()
      const memory = memories.use(await invocation.memory())
      const { home, project, env } = invocation
      const config = async () => (await invocation.config()).config
      const { Lender } = await import('../surfaces/mcp/index.ts')
      await using lender = new Lender({ home, project, config, env, memory })
      // Who said where is served there.
      const isSaid = invocation.flags.project !== undefined
      const move = async (directory: string) => {
        invocation.flags.project = directory
        lender.moveTo(invocation.project, memories.use(await invocation.memory()))
      }
      await (http ? listen(lender, port, invocation) : talk(lender, isSaid ? undefined : move))
    })
}

type LenderOf = InstanceType<typeof import('../surfaces/mcp/index.ts').Lender>

/** Until the client has gone. Standard output carries the protocol and nothing else. */
async function talk(
  lender: LenderOf,
  move: ((directory: string) => Promise<void>) | undefined,
): Promise<void> {
  const { serveClient, StdioTransport } = await import('../surfaces/mcp/index.ts')
  console.log = console.error
  const { closed, close } = await serveClient(lender, new StdioTransport(process.stdin, process.stdout), {
    move,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
  await closed
}

async function listen(lender: LenderOf, port: number, { home, output }: Invocation): Promise<void> {
  const { mcpOverHttp } = await import('../surfaces/mcp/index.ts')
  const { serveHttp } = await mcpOverHttp()
  const { Keys } = await import('../surfaces/keys/index.ts')
  const keys = new Keys(home)
  const token = keys.list().length === 0 ? randomBytes(32).toString('base64url') : undefined
  const isKnown = (shown: string) =>
    keys.verify(shown) !== undefined || (token !== undefined && same(shown, token))
  await using server = await serveHttp(lender, { port, isKnown })
  output.result({ url: server.url, token: token ?? null }, () => server.url)
  if (token !== undefined && !output.json)
    output.message(`There are no keys; for this run, send \`Authorization: Bearer ${token}\`.`)
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
