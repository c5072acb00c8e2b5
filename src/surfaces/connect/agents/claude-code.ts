import { join } from 'node:path'
import { commandLine, type HookEvent, hookCommand } from '../command-line.ts'
import type { OtherAgent, Piece } from '../other-agent.ts'

const EVENTS: ReadonlyArray<[theirs: string, ours: HookEvent]> = [
  ['SessionStart', 'start'],
  ['UserPromptSubmit', 'prompt'],
  ['Stop', 'stop'],
  ['SessionEnd', 'end'],
]
/** In seconds; a hook of ours ends by itself after two. */
const TIMEOUT = 10

/**
 * Hooks alone. Its MCP servers stand in ~/.claude.json, which every running session writes whole: an edit beside them
 * could be lost, or lose theirs.
 */
export const claudeCode: OtherAgent = {
  id: 'claude-code',
  name: 'Claude Code',
  directory: ({ home, env }) => env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
  settings(machine) {
    const pieces = EVENTS.map(([theirs, ours]): Piece => {
      const command = hookCommand(machine, 'claude-code', ours, 'bash')
      const value = { hooks: [{ type: 'command', command, timeout: TIMEOUT }] }
      return { kind: 'hook', path: ['hooks', theirs], value }
    })
    const path = join(this.directory(machine), 'settings.json')
    return [{ path, format: 'json', pieces, switch: { paths: [['disableAllHooks']], off: true } }]
  },
  afterwards: ({ program, flags }) => [
    'It takes effect in sessions that begin from now on.',
    `Tools to search and save as well: claude mcp add --scope user reverie -- ${commandLine([...program, 'mcp', ...flags], 'sh')}`,
  ],
}
