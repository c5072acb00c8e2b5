import { z } from 'zod'
import { serverSchema } from './schema.ts'

/** The form that many agents share: what they know besides is not looked at. */
const FILE = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) })
const KNOWN = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const

export type ServerSettings = z.output<typeof serverSchema>

/** The servers that a project's own file (`.mcp.json`) names, and what of it cannot be used. */
export function parseServers(
  text: string,
): { servers: Record<string, ServerSettings>; problems: string[] } | { problem: string } {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON.' }
  }
  const file = FILE.safeParse(content)
  if (!file.success) return { problem: 'it should hold {"mcpServers": {…}}.' }
  const servers: Record<string, ServerSettings> = {}
  const problems: string[] = []
  for (const [name, entry] of Object.entries(file.data.mcpServers)) {
    const { type } = (entry ?? {}) as { type?: unknown }
    const read = serverSchema.safeParse(knownOf(entry))
    if (type === 'sse')
      problems.push(`${name}: the old SSE transport is not supported; it needs a streamable HTTP address.`)
    else if (read.success) servers[name] = read.data
    else problems.push(`${name}: ${read.error.issues[0]?.message ?? 'it cannot be used'}.`)
  }
  return { servers, problems }
}

function knownOf(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry
  const given = entry as Record<string, unknown>
  return Object.fromEntries(KNOWN.filter(key => given[key] !== undefined).map(key => [key, given[key]]))
}
