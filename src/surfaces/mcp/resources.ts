/** Memories as resources: listed, read, and told of when they change. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Resource,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { INDEX_FILE, type ListedMemory, type MemoryChange, SCOPES, type Scope } from '../../memory/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Lender } from './lender.ts'

const INDEX_URI = 'memory://index'
const MIME = 'text/markdown'
/** Memories on one page of the list: there may be 100,000. */
const PAGE = 200
/** More than any client watches one by one; the index stands for all. */
const MOST_SUBSCRIPTIONS = 10_000
/** The protocol's code for a resource that is not there. */
const NOT_FOUND = -32_002

function uriOf({ scope, file }: { scope: Scope; file: string }): string {
  return `memory://${scope}/${encodeURIComponent(file)}`
}

/** Undefined when it names no memory. Whether there is such a file is not looked at. */
function placeInUri(uri: string): { scope: Scope; file: string } | undefined {
  const [, named, encoded = ''] = /^memory:\/\/([a-z]+)\/([^/]+)$/.exec(uri) ?? []
  const scope = SCOPES.find(each => each === named)
  try {
    return scope && { scope, file: decodeURIComponent(encoded) }
  } catch {
    return undefined // a percent sign that stands for nothing
  }
}

/** Returns what ends it. */
export function offerResources(server: Server, lender: Lender): () => void {
  const subscribed = new Set<string>()
  let stop: (() => void) | undefined
  let watching: Promise<void> | undefined
  let ended = false
  // Only a client that has looked has something that could be out of date.
  const watch = () => {
    watching ??= lender
      .watch(changes => tell(server, changes, subscribed))
      .then(stopIt => {
        stop = stopIt
        if (ended) stop()
      })
    return watching
  }
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } })
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    await watch()
    return listPage(await lender.memory.list(), params?.cursor)
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: 'memory://{scope}/{file}',
        name: 'memory',
        title: 'A memory',
        description: `One memory as it stands in its file. Scopes: ${SCOPES.join(', ')}.`,
        mimeType: MIME,
      },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: MIME, text: await read(lender, uri) }],
  }))
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    if (uri !== INDEX_URI) assertPlace(uri)
    if (subscribed.size >= MOST_SUBSCRIPTIONS)
      throw new McpError(
        ErrorCode.InvalidRequest,
        `There are ${MOST_SUBSCRIPTIONS} subscriptions; end some first.`,
      )
    subscribed.add(uri)
    await watch()
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  return () => {
    ended = true
    stop?.()
  }
}

/** The index first, then the memories in the order of their addresses, which stays while they come and go. */
function listPage(memories: readonly ListedMemory[], cursor: string | undefined) {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  if (cursor !== undefined && !placeInUri(after))
    throw new McpError(ErrorCode.InvalidParams, 'This cursor is not one that resources/list gave.')
  const rest = memories
    .map(memory => ({ uri: uriOf(memory), memory }))
    .filter(({ uri }) => uri > after)
    .sort((a, b) => (a.uri < b.uri ? -1 : 1))
  const page = rest.slice(0, PAGE)
  const last = page.at(-1)
  const index: Resource = {
    uri: INDEX_URI,
    name: INDEX_FILE,
    title: 'Everything that is remembered',
    description: 'The index of all memories, with how to use them',
    mimeType: MIME,
  }
  return {
    resources: [
      ...(cursor === undefined ? [index] : []),
      ...page.map(({ uri, memory }) => asResource(uri, memory)),
    ],
    ...(rest.length > PAGE && last && { nextCursor: Buffer.from(last.uri).toString('base64url') }),
  }
}

function asResource(uri: string, { file, name, description, type, bytes }: ListedMemory): Resource {
  return { uri, name: file, title: name, description: `${type}: ${description}`, mimeType: MIME, size: bytes }
}

async function read({ memory }: Lender, uri: string): Promise<string> {
  if (uri === INDEX_URI) return memory.prompt({ reader: 'lent' })
  const { scope, file } = assertPlace(uri)
  try {
    return (await memory.get(file, scope)).text
  } catch (error) {
    if (error instanceof ReverieError) throw new McpError(NOT_FOUND, error.message, { uri })
    throw error
  }
}

function assertPlace(uri: string): { scope: Scope; file: string } {
  const place = placeInUri(uri)
  if (!place)
    throw new McpError(
      NOT_FOUND,
      `Nothing is at ${uri}. Addresses are ${INDEX_URI} and memory://SCOPE/FILE.`,
      { uri },
    )
  return place
}

function tell(server: Server, changes: readonly MemoryChange[], subscribed: ReadonlySet<string>): void {
  const changed = new Set([INDEX_URI, ...changes.map(uriOf)])
  // A client that has gone hears nothing, and is noticed where it is served.
  const ignore = () => {}
  for (const uri of changed) if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(ignore)
  if (changes.some(({ kind, file }) => kind !== 'changed' && file !== INDEX_FILE))
    server.sendResourceListChanged().catch(ignore)
}
