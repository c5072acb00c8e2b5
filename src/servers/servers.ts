/** The servers of one conversation: connected beside it, told of once, called whenever one of their tools is. */
import { readFile } from 'node:fs/promises'
import type { Config, Home, Project } from '../config/index.ts'
import { loadPrompt, type Section } from '../context/index.ts'
import { because } from '../store/index.ts'
import type { Tool } from '../tools/index.ts'
import type { Connection, ConnectionState } from './connection.ts'
import { callTool, searchTool } from './far-tools.ts'
import { type FoundServer, findServers } from './found.ts'
import { lentTool } from './lent-tool.ts'
import type { OfferedTool } from './offered-tool.ts'
import { cutAt, fencedInstructions } from './words.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** How long the first answer waits for servers that are still starting. */
const FIRST_ANSWER_WAITS_MS = 5_000
/** How many start at the same time: programs cost this machine something, addresses only a connection. */
const PROGRAMS_AT_ONCE = 3
const ADDRESSES_AT_ONCE = 20
/** Of all that a model is told of, Reverie's own among them (4-agent.md); the rest is searched for. */
const MOST_TOLD = 30
/** So many of servers' tools are told of in any case. */
const ALWAYS_TOLD = 8
/** Characters of what one server says of its use. */
const LONGEST_INSTRUCTIONS = 2_048

export interface ServersOptions {
  home: Home
  project: Project
  config: Config
  env: NodeJS.ProcessEnv
  firstAnswerWaitsMs?: number
}

/** How it is with one of them. */
export interface ServerStatus {
  name: string
  source: FoundServer['source']
  /** Where it comes from: a command or an address, as it stands in the settings. */
  from: string
  state: ConnectionState | NonNullable<FoundServer['unused']>
  problem: string | undefined
  tools: readonly OfferedTool[]
}

/** What a conversation tells its model of, from its first request to its last. */
export interface LentTools {
  told: readonly Tool[]
  /** Found by searching, and by the names that a definition of a helper gives. */
  others(): readonly Tool[]
  /** For the person. */
  notices: readonly string[]
}

export class Servers implements AsyncDisposable {
  #options: ServersOptions
  #found: readonly FoundServer[]
  #problems: readonly string[]
  #connections: Connection[] = []
  #settled: Promise<unknown> = Promise.resolve()
  #lent: Promise<LentTools> | undefined
  #closed = false
  #lastMoment = () => {
    for (const connection of this.#connections) connection.killNow()
  }

  private constructor(options: ServersOptions, found: readonly FoundServer[], problems: readonly string[]) {
    this.#options = options
    this.#found = found
    this.#problems = problems
  }

  /** Finds them, and begins to connect: nobody waits for that here. */
  static async begin(options: ServersOptions): Promise<Servers> {
    const { servers, problems } = await findServers(options)
    const notices = [...problems]
    const untrusted = servers.filter(({ unused }) => unused === 'not trusted').map(({ name }) => name)
    if (untrusted.length > 0)
      notices.push(
        `This project names MCP servers (${untrusted.join(', ')}) that are not trusted, so they are not started. Look at .mcp.json, then: reverie mcp trust`,
      )
    const begun = new Servers(options, servers, notices)
    await begun.#begin()
    return begun
  }

  /** There are none that are used, so nothing has to be said of them. */
  get isEmpty(): boolean {
    return this.#connections.length === 0
  }

  /** What is to be told of, decided once: a list that changed later would cost the provider's cache all that follows it. */
  lend(own: readonly Pick<Tool, 'name'>[]): Promise<LentTools> {
    this.#lent ??= this.#decide(own.length)
    return this.#lent
  }

  /** For the system prompt: the same for the whole conversation, from the moment the tools are decided. */
  section(): Section {
    return {
      name: 'MCP instructions',
      side: 'project',
      dependsOn: async () => '',
      make: () => this.#instructions(),
    }
  }

  status(): ServerStatus[] {
    return this.#found.map(({ name, settings, source, unused }) => {
      const connection = unused === undefined ? this.#connections.find(each => each.name === name) : undefined
      return {
        name,
        source,
        from: settings.url ?? [settings.command, ...(settings.args ?? [])].join(' '),
        state: unused ?? connection?.state ?? 'waiting',
        problem: connection?.problem,
        tools: connection?.tools ?? [],
      }
    })
  }

  /** Returns when each of them is connected, or has failed to. */
  async settled(): Promise<void> {
    await this.#settled
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#connections.map(connection => connection.close()))
    process.off('exit', this.#lastMoment)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #begin(): Promise<void> {
    const used = this.#found.filter(({ unused }) => unused === undefined)
    if (used.length === 0) return
    const { project, env } = this.#options
    // The SDK is only loaded where there is a server.
    const { Connection } = await import('./connection.ts')
    const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
    this.#connections = used.map(server => new Connection({ server, root: project.root, env, version }))
    process.on('exit', this.#lastMoment)
    const [programs, addresses] = [true, false].map(kind =>
      this.#connections.filter(({ isProgram }) => isProgram === kind),
    )
    this.#settled = Promise.all([
      inTurns(programs ?? [], PROGRAMS_AT_ONCE, () => this.#closed),
      inTurns(addresses ?? [], ADDRESSES_AT_ONCE, () => this.#closed),
    ])
  }

  async #decide(own: number): Promise<LentTools> {
    if (this.isEmpty) return { told: [], others: () => [], notices: this.#problems }
    const notices = [...this.#problems, ...(await this.#waitForFirst())]
    const offers = this.#offers()
    const fitting = offers.filter(([, { fits }]) => fits)
    const room = Math.max(MOST_TOLD - own, ALWAYS_TOLD)
    const direct =
      fitting.length <= room ? fitting.map(([connection, tool]) => lentTool(connection, tool)) : []
    const names = new Set(direct.map(({ name }) => name))
    const others = () =>
      this.#offers()
        .filter(([, { name }]) => !names.has(name))
        .map(([connection, tool]) => lentTool(connection, tool))
    const catalogue = {
      offered: () => this.#offers().map(([, tool]) => tool),
      find: (name: string) => {
        const [connection, tool] = this.#offers().find(([, each]) => each.name === name) ?? []
        return connection && tool && lentTool(connection, tool)
      },
      starting: () => this.#connections.filter(({ state }) => state !== 'ready').map(({ name }) => name),
    }
    return { told: [...direct, searchTool(catalogue), callTool(catalogue)], others, notices }
  }

  /** What is late is told to the person, and found by whoever searches once it is there. */
  async #waitForFirst(): Promise<string[]> {
    const { firstAnswerWaitsMs = FIRST_ANSWER_WAITS_MS } = this.#options
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>(resolve => {
      timer = setTimeout(resolve, firstAnswerWaitsMs)
    })
    await Promise.race([this.#settled, enough])
    clearTimeout(timer)
    return this.#connections.flatMap(({ name, state, problem }) => {
      if (state === 'ready') return []
      if (problem !== undefined) return [`${problem} The conversation goes on without it.`]
      return [`The MCP server ${name} is still starting. Its tools can be searched for once it is there.`]
    })
  }

  #offers(): Array<[Connection, OfferedTool]> {
    return this.#connections.flatMap(connection =>
      connection.tools.map((tool): [Connection, OfferedTool] => [connection, tool]),
    )
  }

  async #instructions(): Promise<string> {
    await this.#waitForFirst()
    const about = await loadPrompt('servers')
    const lines = this.#connections.map(({ name, tools, state }) =>
      state === 'ready' ? `- ${name}: ${tools.length} tools` : `- ${name}: not there yet`,
    )
    const said = this.#connections.flatMap(({ name, instructions }) =>
      instructions === '' ? [] : [fencedInstructions(name, cutAt(instructions, LONGEST_INSTRUCTIONS))],
    )
    return [about, lines.join('\n'), ...said].join('\n\n')
  }
}

/** Each of them once, so many at the same time. One that fails keeps why. */
async function inTurns(
  connections: readonly Connection[],
  most: number,
  isOver: () => boolean,
): Promise<void> {
  const waiting = [...connections]
  const next = async (): Promise<void> => {
    for (let each = waiting.shift(); each && !isOver(); each = waiting.shift())
      await each.connect().catch(because)
  }
  await Promise.all(Array.from({ length: most }, next))
}
