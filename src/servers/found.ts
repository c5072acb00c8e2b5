/** Which servers there are: the owner's, and the project's where the owner trusts them. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, type Home, isTrusted, type Project, serverFile, setTrust } from '../config/index.ts'
import { because, contentHash, isInside, ReverieError, readSmallFile } from '../store/index.ts'

export type ServerSettings = Config['mcp']['servers'][string]

export interface FoundServer {
  /** Lower case letters, digits and hyphens: part of the names of its tools. */
  name: string
  settings: ServerSettings
  source: 'owner' | 'project'
  /** Why it is not used, if it is not. */
  unused: 'off' | 'not trusted' | 'another of this name' | undefined
}

interface WhereServersAre {
  home: Home
  project: Project
  config: Config
}

class UnreadableServers extends ReverieError {}

const FILE = '.mcp.json'

/** What a project names in its `.mcp.json` counts only when the owner has seen and trusted it, as it is now. */
export async function findServers({
  home,
  project,
  config,
}: WhereServersAre): Promise<{ servers: FoundServer[]; problems: string[] }> {
  const own = Object.entries(config.mcp.servers).map(
    ([name, settings]): FoundServer => ({
      name,
      settings,
      source: 'owner',
      unused: settings.enabled === false ? 'off' : undefined,
    }),
  )
  try {
    const { servers, problems } = await findTheirs(home, project, new Set(own.map(({ name }) => name)))
    return { servers: [...own, ...servers], problems }
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    return { servers: own, problems: [error.message] } // the conversation goes on without them
  }
}

async function findTheirs(
  home: Home,
  project: Project,
  taken: Set<string>,
): Promise<{ servers: FoundServer[]; problems: string[] }> {
  const file = join(project.root, FILE)
  const text = readFile(file)
  if (text === undefined) return { servers: [], problems: [] }
  const { parseServers } = await serverFile()
  const parsed = parseServers(text)
  if ('problem' in parsed) throw new UnreadableServers(`${file} cannot be used: ${parsed.problem}`)
  const agreed = agreedTo(text, parsed.servers, project.root)
  const trusted = isTrusted(home, 'servers', project.root, agreed)
  const servers = Object.entries(parsed.servers).map(([given, settings]): FoundServer => {
    const name = asName(given)
    const unused = taken.has(name) ? 'another of this name' : trusted ? undefined : 'not trusted'
    taken.add(name)
    return { name, settings, source: 'project', unused }
  })
  return { servers, problems: parsed.problems.map(problem => `${file}: ${problem}`) }
}

/** Trusts the servers of a project as they are now, or none of them. */
export async function trustServers(home: Home, root: string, trusted: boolean): Promise<void> {
  const text = readFile(join(root, FILE))
  if (trusted && text === undefined) throw new UnreadableServers(`${root} names no servers (${FILE}).`)
  if (!trusted || text === undefined) return setTrust(home, 'servers', root, undefined)
  const { parseServers } = await serverFile()
  const parsed = parseServers(text)
  if ('problem' in parsed)
    throw new UnreadableServers(`${join(root, FILE)} cannot be used: ${parsed.problem}`)
  await setTrust(home, 'servers', root, agreedTo(text, parsed.servers, root))
}

/** Of one file that a server is started with. */
const LARGEST_FILE = 16 * 1024 * 1024

/** The servers, and what of the project they are started with: who changes a script changes what was agreed to. */
function agreedTo(text: string, servers: Readonly<Record<string, ServerSettings>>, root: string): string {
  const named = Object.values(servers).flatMap(({ command, args = [], cwd = '.' }) =>
    [command, ...args].flatMap(word => (word === undefined ? [] : [resolve(root, cwd, word)])),
  )
  const files = [...new Set(named)].filter(path => isInside(root, path) && isSmallFile(path)).toSorted()
  try {
    return text + files.map(path => `\0${path}\0${contentHash(readFileSync(path))}`).join('')
  } catch (error) {
    throw new UnreadableServers(`What ${join(root, FILE)} starts cannot be read: ${because(error)}.`, {
      cause: error,
    })
  }
}

function isSmallFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size <= LARGEST_FILE
}

function readFile(file: string): string | undefined {
  try {
    return readSmallFile(file)
  } catch (error) {
    throw new UnreadableServers(`Could not read ${file}: ${because(error)}.`, { cause: error })
  }
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/
const KEPT = 24

/** Others name their servers as they like; what is lost on the way is told apart by a hash. */
function asName(given: string): string {
  if (NAME.test(given)) return given
  const letters = given
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, KEPT)
  return `${letters || 'server'}-${createHash('sha256').update(given).digest('hex').slice(0, 6)}`
}
