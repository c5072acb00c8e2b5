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

/** Who says when it is over: a test, or a group of tests that share a client. */
export type AtEnd = (work: () => void | Promise<void>) => void

/** A home and a project of nobody's. */
export function scratch(atEnd?: AtEnd) {
  const root = temporaryDirectory(atEnd)
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  mkdirSync(project)
  return { home, project, env: { PATH: process.env.PATH ?? '', HOME: root, REVERIE_HOME: home } }
}

export type Scratch = ReturnType<typeof scratch>

async function connect(transport: Transport, atEnd: AtEnd = onTestFinished): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  atEnd(() => client.close())
  return client
}

/** The real command, started by the official client as another agent would. */
export async function overStdio({ project, env }: Scratch, atEnd?: AtEnd) {
  const transport = new StdioClientTransport({
    command: BIN,
    args: ['mcp'],
    cwd: project,
    env,
    stderr: 'pipe',
  })
  return { client: await connect(transport, atEnd), transport }
}

/** A lender in this process, for what a server mounts. */
export async function openLender({ home, project }: Scratch, atEnd: AtEnd = onTestFinished): Promise<Lender> {
  const where = { home: homeAt(home), project: findProject(project) }
  const memory = await Memory.open(where)
  const lender = new Lender({ ...where, config: async () => structuredClone(DEFAULTS), env: {}, memory })
  atEnd(async () => {
    await lender[Symbol.asyncDispose]()
    memory[Symbol.dispose]()
  })
  return lender
}

export function overHttp(url: string, token: string, atEnd?: AtEnd): Promise<Client> {
  return connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
    atEnd,
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
