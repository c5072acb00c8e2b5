import type { Machine } from './machine.ts'
import type { JsonPath } from './text/json-text.ts'

/** Something of ours in a settings file. */
export type Piece =
  /** A member of an object, under a name that is ours. */
  | { kind: 'member'; path: JsonPath; value: unknown }
  /** A hook: one element of the list at the path, told by its command. */
  | { kind: 'hook'; path: JsonPath; value: unknown }
  /** What the file needs and anybody may have written; it stays as it is where it stands. */
  | { kind: 'companion'; path: JsonPath; value: unknown }

/** A settings file of another program, and all that belongs into it. */
export interface Settings {
  path: string
  format: 'json' | 'toml'
  pieces: readonly Piece[]
  /** A setting with which its owner has switched hooks off: ours stand there then and do nothing. */
  switch?: { paths: readonly JsonPath[]; off: boolean }
}

/** Another agent that memory can be put into. */
export interface OtherAgent {
  id: string
  name: string
  /** Where it keeps its settings: there is none of it on a machine that has no such directory. */
  directory(machine: Machine): string
  settings(machine: Machine): readonly Settings[]
  /** What is left for the person to do. */
  afterwards(machine: Machine): readonly string[]
}

/** The entry of an MCP server, as most programs write it. */
export function mcpEntry({ program, flags }: Machine): { command: string; args: string[] } {
  const [command = '', ...script] = program
  return { command, args: [...script, 'mcp', ...flags] }
}
