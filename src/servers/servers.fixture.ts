/** Servers that behave, and servers that do not: small programs that speak the protocol by hand, so that they start fast. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { type Config, DEFAULTS } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { Connection } from './connection.ts'

type Settings = Config['mcp']['servers'][string]

/** What a small server does, besides answering; `reply(id, result)`, `send(message)` and `tools` are there for it. */
export interface Behaviour {
  /** JSON of the tools, as in `tools/list`. */
  tools?: unknown
  /** Code that runs at the start. */
  start?: string
  /** Code for `tools/call`, with `params` and `id`. */
  call?: string
  /** Code for everything, before it is answered; `return true` when it was. */
  any?: string
  instructions?: string
}

const TOOLS = [
  {
    name: 'echo',
    description: 'Says what it hears.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
  },
]

/** Settings of a server that behaves like that. */
export function program({
  tools = TOOLS,
  start = '',
  call,
  any = '',
  instructions = '',
}: Behaviour = {}): Settings {
  const file = join(temporaryDirectory(), 'server.cjs')
  const answer = call ?? `reply(id, { content: [{ type: 'text', text: 'heard ' + params.arguments.text }] })`
  writeFileSync(
    file,
    `const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const reply = (id, result) => send({ id, result })
let tools = ${JSON.stringify(tools)}
const handle = ({ id, method, params, result, error }) => {
  ${any}
  if (method === 'initialize') reply(id, {
    protocolVersion: params.protocolVersion, serverInfo: { name: 'small', version: '1' },
    capabilities: { tools: { listChanged: true } }, instructions: ${JSON.stringify(instructions)} })
  else if (method === 'tools/list') reply(id, { tools })
  else if (method === 'tools/call') { ${answer} }
  else if (method === 'ping') reply(id, {})
}
${start}
require('node:readline').createInterface({ input: process.stdin }).on('line', line => handle(JSON.parse(line)))
`,
  )
  return { command: process.execPath, args: [file] }
}

export function connectionTo(
  settings: Settings,
  env: NodeJS.ProcessEnv = { PATH: process.env.PATH },
): Connection {
  const connection = new Connection({
    server: { name: 'small', settings, source: 'owner', unused: undefined },
    root: temporaryDirectory(),
    env,
    version: '1',
  })
  onTestFinished(() => connection.close())
  return connection
}

export function withServers(servers: Record<string, Settings>): Pick<Config, 'mcp'> {
  return { ...DEFAULTS, mcp: { servers } }
}

export interface WebServer {
  url: string
  /** What was asked, by method of HTTP, with its headers. */
  asked: Array<{ method: string; headers: Headers }>
  /** Answers to the next requests, instead of the server's. */
  instead: Array<() => Response | Promise<Response>>
  /** Forgets every session, as after a restart. */
  forget(): void
}

/** The official server at an address. */
export async function webServer(): Promise<WebServer> {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const asked: WebServer['asked'] = []
  const instead: WebServer['instead'] = []
  const handle = async (request: Request): Promise<Response> => {
    asked.push({ method: request.method, headers: request.headers })
    const other = request.method === 'POST' ? instead.shift() : undefined
    if (other) return other()
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : transports.get(id)
    if (known) return known.handleRequest(request)
    if (id !== null) return new Response('gone', { status: 404 })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${transports.size}-${asked.length}`,
      onsessioninitialized: made => void transports.set(made, transport),
    })
    const server = new McpServer({ name: 'official', version: '1' }, { instructions: 'Ask politely.' })
    server.registerTool(
      'add',
      { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    )
    await server.connect(transport)
    return transport.handleRequest(request)
  }
  const server = createServer(getRequestListener(handle))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, asked, instead, forget: () => transports.clear() }
}
