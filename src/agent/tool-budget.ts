/** Which tools a model with a small window is told of. */
import { estimateTools } from '../context/index.ts'
import type { Tool } from '../tools/index.ts'
import { toolForm } from './tool-form.ts'

/** Of the window, for all tools together. */
const SHARE = 0.3

/** What is needed most, first; tools that are not named come after all that are. */
const NEEDED_MOST = [
  'memory_save',
  'memory_search',
  'read_file',
  'edit_file',
  'write_file',
  'bash',
  'skill',
  'grep',
  'glob',
  'memory_forget',
  'session_search',
  'ask_user',
  'todo',
]

/** All of them where they fit, in their order; else those that are needed most. */
export function toolsWithin(
  tools: readonly Tool[],
  { window }: { window: number },
): { kept: Tool[]; left: string[] } {
  const cost = (tool: Tool) => estimateTools([toolForm(tool)])
  let budget = Math.floor(window * SHARE)
  if (tools.reduce((sum, tool) => sum + cost(tool), 0) <= budget) return { kept: [...tools], left: [] }
  const rank = ({ name }: Tool) => {
    const at = NEEDED_MOST.indexOf(name)
    return at < 0 ? NEEDED_MOST.length : at
  }
  const chosen = new Set<Tool>()
  for (const tool of tools.toSorted((a, b) => rank(a) - rank(b))) {
    if (cost(tool) > budget) continue
    budget -= cost(tool)
    chosen.add(tool)
  }
  return {
    kept: tools.filter(tool => chosen.has(tool)),
    left: tools.filter(tool => !chosen.has(tool)).map(({ name }) => name),
  }
}
