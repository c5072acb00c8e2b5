import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'
import { DEFAULTS, findProject, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Lender } from './lender.ts'

export const BIN = fileURLToPath(new URL('../../../bin/reverie', import.meta.url))

/** A home and a project of nobody's. */
export function scratch() {
  const root = temporaryDirectory()
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  mkdirSync(project)
  return { home, project, env: { PATH: process.env.PATH ?? '', HOME: root, REVERIE_HOME: home } }
}

export type Scratch = ReturnType<typeof scratch>

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** The real command, started by the official client as another agent would. */
export async function overStdio({ project, env }: Scratch) {
  const transport = new StdioClientTransport({
    command: BIN,
    args: ['mcp'],
    cwd: project,
    env,
    stderr: 'pipe',
  })
  return { client: await connect(transport), transport }
}

/** A lender in this process, for what a server mounts. */
export async function openLender({ home, project }: Scratch): Promise<Lender> {
  const where = { home: homeAt(home), project: findProject(project) }
  const memory = await Memory.open(where)
  const lender = new Lender({ ...where, config: structuredClone(DEFAULTS), env: {}, memory })
  onTestFinished(async () => {
    await lender[Symbol.asyncDispose]()
    memory[Symbol.dispose]()
  })
  return lender
}

export function overHttp(url: string, token: string): Promise<Client> {
  return connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
}

/** What a call returned, as a program reads it; what it said when it failed. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
  const [first] = content as Array<{ text?: string }>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever a program would
  return (isError ? { error: first?.text } : structuredContent) as any
}

export const TABS = {
  type: 'user',
  name: 'Prefers tabs',
  description: 'Indents with tabs, never spaces',
  body: 'Use tabs for indentation.',
}
