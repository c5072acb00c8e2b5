import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Home, Project } from '../../config/index.ts'
import { fileNameProblem, readFrontmatter, readSmallFile, systemCode } from '../../store/index.ts'

/** A helper that an agent can call: what it is for, what it may use, and what it is told. */
export interface AgentDefinition {
  name: string
  description: string
  /** Names of tools; all that the caller has unless told. */
  tools: readonly string[] | undefined
  /** `small` for the small one; the caller's unless told. */
  model: string | undefined
  /**
   * What it remembers: nothing unless told; what is true everywhere, or in this project, or what only helpers of
   * its name keep here.
   */
  memory: MemoryScope | undefined
  prompt: string
  source: 'built-in' | 'owner' | 'project'
}

const MEMORY_SCOPES = ['user', 'project', 'local'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

export interface Definitions {
  agents: Map<string, AgentDefinition>
  /** Files that define none, and why. */
  problems: string[]
}

const BUILT_IN = fileURLToPath(new URL('../../../prompts/agents', import.meta.url))
const NAME = /^[a-z][a-z0-9-]{0,40}$/

/**
 * The helpers there are: built in, the owner's (`~/.reverie/agents/*.md`) and the project's (`.reverie/agents/*.md`).
 * The owner may replace what is built in; a project only adds.
 */
export async function loadDefinitions(home: Home, project: Pick<Project, 'root'>): Promise<Definitions> {
  const places = [
    { directory: BUILT_IN, source: 'built-in' },
    { directory: join(home.path, 'agents'), source: 'owner' },
    { directory: join(project.root, '.reverie', 'agents'), source: 'project' },
  ] as const
  const agents = new Map<string, AgentDefinition>()
  const problems: string[] = []
  for (const { directory, source } of places) {
    for (const file of await markdownIn(directory)) {
      const path = join(directory, file)
      const parsed = parseDefinition(readSmallFile(path) ?? '', source)
      if ('problem' in parsed) problems.push(`${path}: ${parsed.problem}`)
      else if (source === 'project' && agents.has(parsed.name))
        problems.push(`${path}: there is an agent "${parsed.name}" already; a project cannot replace it`)
      else agents.set(parsed.name, parsed)
    }
  }
  return { agents, problems }
}

async function markdownIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory)
    return names.filter(name => name.endsWith('.md') && fileNameProblem(name) === undefined).toSorted()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return []
    throw error
  }
}

export function parseDefinition(
  text: string,
  source: AgentDefinition['source'],
): AgentDefinition | { problem: string } {
  const read = readFrontmatter(text)
  if ('problem' in read) return read
  const single = (key: string) => {
    const value = read.fields.get(key)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [name, description, memory] = [single('name'), single('description'), single('memory')]
  if (name === undefined || !NAME.test(name)) return { problem: 'it needs a name such as "reviewer"' }
  if (description === undefined) return { problem: 'it needs a description: when to call it' }
  if (memory !== undefined && !isMemoryScope(memory))
    return { problem: `its memory is one of ${MEMORY_SCOPES.join(', ')}` }
  if (memory === 'user' && source === 'project')
    return { problem: 'a project’s agent may not remember for everywhere: its memory is project or local' }
  if (read.body === '') return { problem: 'it needs a body: what the agent is told' }
  const tools = read.fields.get('tools')
  return {
    name,
    description,
    tools: tools === undefined ? undefined : listOf(tools),
    model: single('model'),
    memory,
    prompt: read.body,
    source,
  }
}

function isMemoryScope(text: string): text is MemoryScope {
  return MEMORY_SCOPES.some(scope => scope === text)
}

function listOf(value: string | string[]): string[] {
  const items = typeof value === 'string' ? value.split(',') : value
  return items.map(item => item.trim()).filter(item => item !== '')
}
