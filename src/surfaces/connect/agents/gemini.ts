import { join } from 'node:path'
import { type HookEvent, hookCommand } from '../command-line.ts'
import { mcpEntry, type OtherAgent, type Piece } from '../other-agent.ts'

const EVENTS: ReadonlyArray<[theirs: string, ours: HookEvent]> = [
  ['SessionStart', 'start'],
  ['BeforeAgent', 'prompt'],
  ['AfterAgent', 'stop'],
  ['SessionEnd', 'end'],
]
/** In milliseconds. */
const TIMEOUT = 10_000

/** Hooks, and its tools beside them: both stand in the one file. */
export const gemini: OtherAgent = {
  id: 'gemini',
  name: 'Gemini CLI',
  directory: ({ home }) => join(home, '.gemini'),
  settings(machine) {
    const hooks = EVENTS.map(([theirs, ours]): Piece => {
      const command = hookCommand(machine, 'gemini', ours, 'powershell')
      const value = { hooks: [{ name: 'reverie', type: 'command', command, timeout: TIMEOUT }] }
      return { kind: 'hook', path: ['hooks', theirs], value }
    })
    const server: Piece = { kind: 'member', path: ['mcpServers', 'reverie'], value: mcpEntry(machine) }
    return [
      {
        path: join(this.directory(machine), 'settings.json'),
        format: 'json',
        pieces: [server, ...hooks],
        switch: { paths: [['hooksConfig', 'enabled']], off: false },
      },
    ]
  },
  afterwards: () => ['It takes effect in sessions that begin from now on (Gemini CLI 0.26 or newer).'],
}
