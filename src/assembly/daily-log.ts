/** What a conversation has besides where days are logged: a section that names the pattern of the files, and a tool. */
import { join } from 'node:path'
import type { AgentOptions } from '../agent/index.ts'
import { loadPrompt, type Section } from '../context/index.ts'
import { DAILY_LOG } from '../memory/index.ts'
import { dailyLogTool, type Tool } from '../tools/index.ts'

export function dailyLogFor({ memory, config }: Pick<AgentOptions, 'memory' | 'config'>): {
  tools: Tool[]
  sections: Section[]
} {
  if (!memory || !config.memory.dailyLog) return { tools: [], sections: [] }
  const section: Section = {
    name: 'daily log',
    side: 'project',
    dependsOn: async () => '',
    async make() {
      const text = await loadPrompt('daily-log')
      return text.replace('{{pattern}}', () => join(memory.place('project'), DAILY_LOG))
    },
  }
  return { tools: [dailyLogTool(memory)], sections: [section] }
}
