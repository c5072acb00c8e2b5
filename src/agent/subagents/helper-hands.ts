/** Which tools a helper has of its caller's. */
import { ReverieError } from '../../store/index.ts'
import type { SeenFiles, Tool } from '../../tools/index.ts'
import type { AgentDefinition } from './definition.ts'

/** Tools for one helper, with a working directory and a knowledge of files of its own. */
export interface HelperHands {
  tools: ReadonlyMap<string, Tool>
  /** What the caller has to search for. */
  further: readonly Tool[]
  seen: SeenFiles
}

class NotForHelpers extends ReverieError {}

/** Those that its definition names, or all but the caller's memory; and with these, those for what it remembers itself. */
export function forDefinition(
  { tools: names }: Pick<AgentDefinition, 'tools'>,
  { tools, further }: Pick<HelperHands, 'tools' | 'further'>,
  memory: readonly Tool[],
): ReadonlyMap<string, Tool> {
  const chosen =
    names === undefined
      ? [...tools.values()].filter(tool => !isMemoryTool(tool))
      : [...tools.values(), ...further].filter(({ name }) => names.some(wanted => isNamed(name, wanted)))
  const own = chosen.filter(tool => !isForCallersOnly(tool))
  return new Map([...own, ...memory].map(tool => [tool.name, tool]))
}

/** Helpers call no helpers: work that is passed on and on comes to no end. */
function isForCallersOnly({ name }: Tool): boolean {
  return name.startsWith('agent') || name === 'ask_user'
}

/** A fork is told of the same tools as its caller, or the provider's cache would not have the conversation. */
export function forFork({ tools }: Pick<HelperHands, 'tools'>): ReadonlyMap<string, Tool> {
  const told = [...tools.values()].map(tool => (isForCallersOnly(tool) ? refusing(tool) : tool))
  return new Map(told.map(tool => [tool.name, tool]))
}

function refusing({ touches: _, ...tool }: Tool): Tool {
  const why =
    tool.name === 'ask_user'
      ? 'A helper cannot ask the person. Decide by yourself, and say so in your report.'
      : 'Helpers call no helpers. Do it yourself, or say in your report what is left.'
  return { ...tool, run: () => Promise.reject(new NotForHelpers(why)) }
}

/** `mcp__github__*` names all tools of a server. */
function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted
}

function isMemoryTool({ name }: Tool): boolean {
  return name.startsWith('memory_')
}
