import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import type { Tool, ToolContext, ToolOutput } from '../tool.ts'
import { FileLocks, type FileToolOptions, fileTools, SeenFiles, Snapshots } from './index.ts'

export const context: ToolContext = {
  call: 'c',
  signal: new AbortController().signal,
  progress() {},
  ask: undefined,
}

/** An agent's file tools in a directory of its own, or in one that is shared. */
export function fileAgent({
  root = realpathSync(temporaryDirectory()),
  locks = temporaryDirectory(),
  own = temporaryDirectory(),
} = {}) {
  const state = { message: 'm1' }
  const options: FileToolOptions = {
    workspace: { root, directory: root, outputs: own },
    seen: new SeenFiles(),
    snapshots: new Snapshots(join(own, 'snapshots')),
    locks: new FileLocks(locks),
    message: () => state.message,
  }
  const tools = fileTools(options)
  const tool = (name: string) => tools.find(each => each.name === name) as Tool
  return {
    ...options,
    root,
    outputs: own,
    state,
    tool,
    tools,
    at: (path: string) => join(root, path),
    put(path: string, content: string | Uint8Array) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    get: (path: string) => readFileSync(join(root, path), 'utf8'),
    bytes: (path: string) => readFileSync(join(root, path)),
    run: (name: string, input: unknown): Promise<ToolOutput> =>
      tool(name).run(tool(name).input.parse(input), context),
    async text(name: string, input: unknown): Promise<string> {
      return (await this.run(name, input)).text
    },
  }
}
