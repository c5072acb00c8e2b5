/** One server: connected when it is needed, again when it was lost, and never a reason for a conversation to end. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { expandTilde } from '../config/index.ts'
import { because, ReverieError } from '../store/index.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { serverEnvironment } from './environment.ts'
import type { FoundServer } from './found.ts'
import { type OfferedTool, offered } from './offered-tool.ts'
import { filledIn } from './references.ts'
import { ServerProcess } from './server-process.ts'
import { ServerTrouble } from './trouble.ts'
import { harmless, inShort } from './words.ts'

export type ConnectionState = 'waiting' | 'connecting' | 'ready' | 'lost' | 'closed'

export interface ConnectionOptions {
  server: FoundServer
  /** Where the conversation is. */
  root: string
  env: NodeJS.ProcessEnv
  version: string
}

const START_MS = 30_000
const CALL_MS = 120_000
/** A call that tells of progress may take longer, but not for ever. */
const LONGEST_CALL_MS = 3_600_000
/** Errors of the connection in a row, after which it is made anew (6-surfaces.md). */
const MOST_ERRORS = 3
/** After a start that failed, how long until the next: doubled each time. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const CLOSE_MS = 3_000
/** Of a server's list. */
const MOST_TOOLS = 1_000
const MOST_PAGES = 50
/** A server that says again and again that its list has changed is asked once in a while. */
const LIST_PAUSE_MS = 500
/** Of what an error says (HTTP servers answer with whole pages). */
const LONGEST_REASON = 400
const SESSION_IS_GONE = 404

/** One that cannot be read hides none of the others. */
const LIST = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

export class Connection {
  readonly name: string
  #options: ConnectionOptions
  #client: Client | undefined
  #transport: Transport | undefined
  #connecting: Promise<Client> | undefined
  #tools: readonly OfferedTool[] = []
  #errors = 0
  #failedStarts = 0
  #notBefore = 0
  #problem: string | undefined
  #closed = false
  #relisting: NodeJS.Timeout | undefined
  instructions = ''
  /** Called when what it offers has changed. */
  onTools: (() => void) | undefined

  constructor(options: ConnectionOptions) {
    this.name = options.server.name
    this.#options = options
  }

  get state(): ConnectionState {
    if (this.#closed) return 'closed'
    if (this.#client) return 'ready'
    if (this.#connecting) return 'connecting'
    return this.#problem === undefined ? 'waiting' : 'lost'
  }

  /** Why it is not connected, in a sentence. */
  get problem(): string | undefined {
    return this.#problem
  }

  get isProgram(): boolean {
    return this.#options.server.settings.command !== undefined
  }

  /** As it offered them last. */
  get tools(): readonly OfferedTool[] {
    return this.#tools
  }

  get trustsHints(): boolean {
    return this.#options.server.settings.trustHints ?? false
  }

  /** Connected, or a `ServerTrouble` that says why not. */
  connect(): Promise<void> {
    return this.#ready().then(() => {})
  }

  /** Calls a tool by the name that the server gave it. What becomes of the call is told, not thrown away: it is never made twice. */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { signal, progress }: { signal: AbortSignal; progress(text: string): void },
  ): Promise<CallToolResult> {
    for (let again = false; ; again = true) {
      const client = await this.#ready()
      try {
        const result = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: { ...input } } },
          CallToolResultSchema,
          {
            signal,
            timeout: this.#options.server.settings.callMs ?? CALL_MS,
            resetTimeoutOnProgress: true,
            maxTotalTimeout: LONGEST_CALL_MS,
            onprogress: ({ progress: done, total, message }) =>
              progress(
                inShort(message ?? `${done}${total === undefined ? '' : ` of ${total}`}`, LONGEST_REASON),
              ),
          },
        )
        this.#errors = 0
        return result
      } catch (error) {
        if (signal.aborted) throw error
        // The server knows nothing of this session, so it has done nothing: the one case for a second try.
        if (isSessionGone(error) && !again) {
          await this.#drop(client)
          continue
        }
        throw await this.#trouble(error, client)
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#relisting)
    const [client, connecting] = [this.#client, this.#connecting]
    // Whoever is still waiting for its first word hears with this that there will be none.
    await this.#endTransport()
    await connecting?.catch(() => {})
    if (client) await this.#drop(client)
  }

  /** For the last moment of this process. */
  killNow(): void {
    if (this.#transport instanceof ServerProcess) this.#transport.killNow()
  }

  #ready(): Promise<Client> {
    if (this.#closed) return Promise.reject(new ServerTrouble(`The conversation with ${this.name} is over.`))
    if (this.#client) return Promise.resolve(this.#client)
    if (!this.#connecting && performance.now() < this.#notBefore)
      return Promise.reject(
        new ServerTrouble(`${this.#problem ?? `${this.name} is not there.`} It is tried again in a while.`),
      )
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connect(): Promise<Client> {
    const { server, version } = this.#options
    try {
      await this.#endTransport() // of the time before
      if (this.#closed) throw new ServerTrouble(`The conversation with ${this.name} is over.`)
      const transport = this.#makeTransport()
      this.#transport = transport
      const client = new Client(
        { name: 'reverie', version },
        { capabilities: this.isProgram ? { roots: {} } : {} },
      )
      if (this.isProgram) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: this.#roots() }))
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listAgain(client))
      client.onclose = () => this.#lost(client)
      const timeout = server.settings.startMs ?? START_MS
      await client.connect(transport, { timeout })
      this.#tools = await this.#list(client, timeout)
      this.instructions = harmless(client.getInstructions() ?? '').trim()
      if (this.#closed) throw new ServerTrouble(`The conversation with ${this.name} is over.`)
      this.#client = client
      this.#problem = undefined
      this.#errors = 0
      this.#failedStarts = 0
      return client
    } catch (error) {
      const said = this.#sentence(error, 'could not be reached')
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failedStarts++)
      this.#notBefore = performance.now() + pause
      this.#problem = said
      await this.#endTransport()
      throw new ServerTrouble(said, { cause: error })
    }
  }

  #makeTransport(): Transport {
    const { server, root, env } = this.#options
    const { command, args = [], env: own = {}, cwd, url, headers = {} } = server.settings
    const fill = (text: string) => filledIn(text, env, `The MCP server ${server.name}`)
    if (command !== undefined)
      return new ServerProcess({
        command: expandTilde(fill(command)),
        args: args.map(fill),
        env: serverEnvironment(env, mapped(own, fill)),
        directory: cwd === undefined ? this.#usualDirectory : resolve(root, expandTilde(fill(cwd))),
      })
    return new StreamableHTTPClientTransport(addressOf(fill(url ?? ''), server.name), {
      requestInit: { headers: headersOf(mapped(headers, fill), server.name) },
      fetch: boundedFetch,
    })
  }

  /**
   * `npx` and its like run what they find where they are started: the owner's servers are not started in a project,
   * which somebody else may have written.
   */
  get #usualDirectory(): string {
    const { server, root } = this.#options
    if (server.source === 'project') return root
    return existsSync(homedir()) ? homedir() : '/'
  }

  #roots() {
    const { root } = this.#options
    return [{ uri: pathToFileURL(root).href, name: 'the project' }]
  }

  async #list(client: Client, timeout: number): Promise<OfferedTool[]> {
    if (!client.getServerCapabilities()?.tools) return []
    const found: OfferedTool[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES && found.length < MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, LIST, { timeout })
      for (const entry of tools) {
        const { data } = ToolSchema.safeParse(entry)
        // One that only runs as a task of the protocol would refuse every call of ours.
        if (!data || seen.has(data.name) || data.execution?.taskSupport === 'required') continue
        seen.add(data.name)
        found.push(offered(this.name, data))
      }
      cursor = nextCursor
      if (cursor === undefined) break
    }
    return found.slice(0, MOST_TOOLS)
  }

  #listAgain(client: Client): void {
    this.#relisting ??= setTimeout(async () => {
      try {
        this.#tools = await this.#list(client, START_MS)
        this.onTools?.()
      } catch {
        // Whoever calls a tool that is gone is told so by the server.
      } finally {
        this.#relisting = undefined
      }
    }, LIST_PAUSE_MS).unref()
  }

  #lost(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (!this.#closed) this.#problem = this.#sentence(undefined, 'is gone')
  }

  async #trouble(error: unknown, client: Client): Promise<ServerTrouble> {
    // An answer of the server, and one that it is alive.
    if (error instanceof McpError && !NOT_ANSWERED.has(error.code)) {
      this.#errors = 0
      return new ServerTrouble(`${this.name} refused the call: ${inShort(error.message, LONGEST_REASON)}`)
    }
    const said = this.#sentence(error, 'did not answer')
    this.#errors++
    if (this.#client === client && this.#errors >= MOST_ERRORS) {
      this.#errors = 0
      this.#problem = said
      await this.#drop(client)
      return new ServerTrouble(
        `${said} That was the ${MOST_ERRORS}rd time in a row: it is connected anew with the next call.`,
        { cause: error },
      )
    }
    return new ServerTrouble(`${said} It may have done all, part or none of what it was asked.`, {
      cause: error,
    })
  }

  /** Lets go of this connection; the next call makes another. */
  async #drop(client: Client): Promise<void> {
    if (this.#client === client) this.#client = undefined
    await this.#endTransport()
    await client.close().catch(() => {}) // it is gone, either way
  }

  async #endTransport(): Promise<void> {
    const transport = this.#transport
    this.#transport = undefined
    if (!transport) return
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
      await within(CLOSE_MS, transport.terminateSession())
    await within(CLOSE_MS, transport.close())
  }

  #sentence(error: unknown, what: string): string {
    const { name } = this
    const transport = this.#transport
    const story = transport instanceof ServerProcess ? transport.story : ''
    if (error instanceof ReverieError && !(transport instanceof ServerProcess)) return error.message
    if (story !== '') return `The MCP server ${name} ${what}: ${story}.`
    if (error instanceof ReverieError) return error.message
    return `The MCP server ${name} ${what}${error === undefined ? '' : `: ${reasonOf(error)}`}.`
  }
}

const NOT_ANSWERED: ReadonlySet<number> = new Set([ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed])

function isSessionGone(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === SESSION_IS_GONE
}

function reasonOf(error: unknown): string {
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) return 'it said nothing in time'
  if (error instanceof z.core.$ZodError) return 'what it answered is not of the protocol'
  if (error instanceof StreamableHTTPError && (error.code === 401 || error.code === 403))
    return `it lets nobody in without the right key (${error.code}); put one into its headers`
  const cause = error instanceof Error && error.cause !== undefined ? ` (${because(error.cause)})` : ''
  return inShort(`${because(error)}${cause}`, LONGEST_REASON)
}

function addressOf(text: string, server: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new ServerTrouble(
    `The address of the MCP server ${server} is not one of http:// or https:// without a user in it.`,
  )
}

/** A value with a line end in it would be more than one header. */
function headersOf(given: Readonly<Record<string, string>>, server: string): Record<string, string> {
  for (const [name, value] of Object.entries(given)) {
    try {
      new Headers().set(name, value)
    } catch {
      throw new ServerTrouble(
        `The header ${JSON.stringify(inShort(name, 80))} of the MCP server ${server} cannot be sent: look for line ends and unusual letters in it.`,
      )
    }
  }
  return { ...given }
}

function mapped(
  given: Readonly<Record<string, string>>,
  fill: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, fill(text)]))
}

/** What does not end in time is left to end by itself. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    work.catch(() => {}),
    new Promise<void>(resolve => {
      timer = setTimeout(resolve, ms)
    }),
  ])
  clearTimeout(timer)
}
