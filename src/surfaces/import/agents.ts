import { join } from 'node:path'
import { openChatGpt } from './chatgpt/source.ts'
import { openClaudeCode } from './claude-code/source.ts'
import { openCodex } from './codex/source.ts'
import { openNanobot } from './nanobot/source.ts'
import { openOpenCode } from './opencode/source.ts'
import type { Source } from './source.ts'

interface Agent {
  name: string
  /** Where its files usually are; undefined when they are on no machine of its owner's. */
  usualPlace(env: NodeJS.ProcessEnv): string | undefined
  open(path: string, now: () => Date): Promise<Source>
}

export const IMPORT_AGENTS = ['claude-code', 'nanobot', 'codex', 'opencode', 'chatgpt'] as const
export type ImportAgent = (typeof IMPORT_AGENTS)[number]

export const AGENTS: Readonly<Record<ImportAgent, Agent>> = {
  'claude-code': {
    name: 'Claude Code',
    usualPlace: env => env.CLAUDE_CONFIG_DIR || '~/.claude',
    open: openClaudeCode,
  },
  nanobot: { name: 'nanobot', usualPlace: () => '~/.nanobot/workspace', open: openNanobot },
  codex: { name: 'Codex', usualPlace: env => env.CODEX_HOME || '~/.codex', open: openCodex },
  opencode: {
    name: 'OpenCode',
    usualPlace: env => join(env.XDG_DATA_HOME || '~/.local/share', 'opencode'),
    open: openOpenCode,
  },
  chatgpt: { name: 'ChatGPT', usualPlace: () => undefined, open: openChatGpt },
}
