/** How other agents stand to Reverie on this machine. */
import { existsSync } from 'node:fs'
import type { Home } from '../../config/index.ts'
import { because, ReverieError, systemCode } from '../../store/index.ts'
import { OTHER_AGENTS } from './agents/index.ts'
import { brokenBy, wordsOf } from './command-line.ts'
import { planConnect } from './connect.ts'
import { Connections } from './connection.ts'
import type { Machine } from './machine.ts'
import type { OtherAgent } from './other-agent.ts'
import { readSettings } from './settings-file.ts'
import { commandsIn } from './text/pieces.ts'

export interface Standing {
  agent: string
  name: string
  /**
   * `outdated`: connected, by entries that would be written differently now. `broken`: by entries that start what is not
   * there. `unreadable`: its settings cannot be edited.
   */
  state: 'absent' | 'unconnected' | 'connected' | 'outdated' | 'broken' | 'unreadable'
  detail: string
  files: string[]
}

export function standings(home: Home, machine: Machine): Promise<Standing[]> {
  return Promise.all(OTHER_AGENTS.map(agent => standingOf(agent, home, machine)))
}

async function standingOf(agent: OtherAgent, home: Home, machine: Machine): Promise<Standing> {
  const { id, name } = agent
  const about = {
    agent: id,
    name,
    files: agent.settings(machine).flatMap(({ path, pieces }) => (pieces.length > 0 ? [path] : [])),
  }
  if (!existsSync(agent.directory(machine)))
    return { ...about, state: 'absent', detail: 'not on this machine' }
  try {
    const ours = (await Promise.all(agent.settings(machine).map(settings => commandsOf(settings)))).flat()
    const connected = (await new Connections(home).read(id)) !== undefined
    if (!connected && !ours.some(line => typeof line === 'string'))
      return { ...about, state: 'unconnected', detail: `reverie connect ${id}` }
    const broken = ours.map(line => brokenBy(typeof line === 'string' ? wordsOf(line) : line)).find(Boolean)
    if (broken !== undefined) return { ...about, state: 'broken', detail: broken }
    const { changes } = await planConnect({ agent, home, machine })
    if (changes.length === 0) return { ...about, state: 'connected', detail: about.files.join(', ') }
    const detail =
      ours.length === 0 ? 'its entries were taken out' : 'its entries are not as they would be written now'
    return { ...about, state: 'outdated', detail }
  } catch (error) {
    if (!(error instanceof ReverieError) && systemCode(error) === undefined) throw error
    return { ...about, state: 'unreadable', detail: because(error) }
  }
}

async function commandsOf(settings: Parameters<typeof commandsIn>[1] & { path: string }) {
  const content = await readSettings(settings.path)
  return content ? commandsIn(content.text, settings) : []
}
