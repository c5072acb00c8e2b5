import type { OtherAgent } from '../other-agent.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'

export const OTHER_AGENTS: readonly OtherAgent[] = [claudeCode, codex, cursor, gemini, opencode, vscode]
