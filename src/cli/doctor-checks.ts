import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import {
  assertHomeFormat,
  DEFAULTS,
  type Home,
  HomeUnusable,
  type LoadedConfig,
  projectConfigPath,
} from '../config/index.ts'
import { providerKeys } from '../models/index.ts'
import { everySessions, History } from '../session/index.ts'
import { type ListedSkill, Skills } from '../skills/index.ts'
import { because, Journal, ReverieError } from '../store/index.ts'
import { lastProblem } from '../surfaces/hook/index.ts'
import { checkWork } from './doctor-work.ts'
import type { Invocation } from './invocation.ts'

export interface Check {
  name: string
  /** A note is worth knowing, a warning worth mending; a problem keeps something from working. */
  status: 'ok' | 'note' | 'warning' | 'problem'
  detail: string
  fix?: string
}

export async function runChecks(invocation: Invocation): Promise<Check[]> {
  const { home } = invocation
  const { check: configCheck, loaded } = await checkConfig(invocation)
  return [
    checkRuntime(),
    checkHome(home),
    checkPermissions(home),
    configCheck,
    checkProject(invocation),
    await checkJournal(home),
    checkIndex(),
    ...(loaded ? [await checkMemory(invocation)] : []),
    ...(loaded ? await checkHistory(invocation) : []),
    await checkSessions(invocation),
    checkSkills(invocation, loaded),
    ...(await checkWork(invocation, (loaded?.config ?? DEFAULTS).schedule)),
    ...checkModels(loaded, invocation.env),
    ...(await checkAgents(invocation)),
  ]
}

/** What no dream could digest is set aside, and would be forgotten if nobody said so. */
async function checkHistory(invocation: Invocation): Promise<Check[]> {
  using memory = await invocation.memory()
  const dead = await new History(memory.place('project')).dead()
  if (dead.length === 0) return []
  const file = join(memory.place('project'), 'history.dead.jsonl')
  return [
    {
      name: 'history',
      status: 'warning',
      detail: `${dead.length} ${dead.length === 1 ? 'entry' : 'entries'} that no dream could digest, in ${tilde(file)}: ${dead.at(-1)?.reason}`,
      fix: `read it, keep what matters with reverie memory save, then remove the file`,
    },
  ]
}

function checkRuntime(): Check {
  const root = fileURLToPath(new URL('../../node_modules/', import.meta.url))
  const pinned = process.execPath.startsWith(root)
  return {
    name: 'runtime',
    status: 'ok',
    detail: `Node ${process.versions.node}${pinned ? ', pinned in this checkout' : ''}`,
  }
}

function checkHome(home: Home): Check {
  const name = 'home'
  const stats = statSync(home.path, { throwIfNoEntry: false })
  if (!stats)
    return { name, status: 'ok', detail: `${tilde(home.path)}, made with the first thing that is kept` }
  if (!stats.isDirectory())
    return {
      name,
      status: 'problem',
      detail: `${home.path} is not a directory`,
      fix: 'choose another with --home DIR',
    }
  if (!canWrite(home.path))
    return {
      name,
      status: 'problem',
      detail: `${tilde(home.path)} cannot be written: what is there is read, and nothing is kept`,
      fix: `chown -R "$(id -un)" "${home.path}" && chmod u+rwx "${home.path}"`,
    }
  try {
    assertHomeFormat(home)
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    const fix = 'update Reverie, or choose another home with --home DIR'
    return { name, status: 'problem', detail: error.message, fix }
  }
  return { name, status: 'ok', detail: tilde(home.path) }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What is remembered is nobody else's business. */
function checkPermissions(home: Home): Check {
  const name = 'privacy'
  if (!existsSync(home.path)) return { name, status: 'ok', detail: 'directories will be 0700, files 0600' }
  try {
    const open = [...opened(home.path)]
    if (open.length === 0) return { name, status: 'ok', detail: 'only you can read what is kept' }
    return {
      name,
      status: 'warning',
      detail: `others on this machine can read ${open.length === 1 ? open[0] : `${open.length} files in ${tilde(home.path)}`}`,
      fix: `chmod -R go-rwx "${home.path}"`,
    }
  } catch (error) {
    return {
      name,
      status: 'problem',
      detail: `${home.path} cannot be read: ${because(error)}`,
      fix: `chown -R "$(id -un)" "${home.path}"`,
    }
  }
}

/** How many files are looked at; a home that was opened by accident shows in its first ones. */
const LOOKED_AT = 2_000

/** The files and directories of the home where others have rights that they should not have. */
function* opened(home: string): Generator<string> {
  if ((statSync(home).mode & 0o077) !== 0) yield home
  let seen = 0
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (seen++ >= LOOKED_AT) return
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink() && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
      yield path
  }
}

async function checkConfig(invocation: Invocation): Promise<{ check: Check; loaded?: LoadedConfig }> {
  const name = 'config'
  const { home } = invocation
  try {
    const loaded = await invocation.config()
    const there = existsSync(home.config)
    const detail = there ? `${tilde(home.config)} is valid` : 'no config.json; the defaults hold'
    return { check: { name, status: 'ok', detail }, loaded }
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    if (error instanceof HomeUnusable)
      return { check: { name, status: 'note', detail: 'not looked at, the home being as it is' } }
    const fix = 'correct the file; `reverie config get` shows the settings there are'
    return { check: { name, status: 'problem', detail: error.message, fix } }
  }
}

function checkProject(invocation: Invocation): Check {
  const name = 'project'
  try {
    const { project } = invocation
    const own = existsSync(projectConfigPath(project)) ? ', with settings of its own' : ''
    return { name, status: 'ok', detail: `${tilde(project.root)}${own}` }
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    return {
      name,
      status: 'problem',
      detail: error.message,
      fix: 'give an existing directory with --project DIR',
    }
  }
}

async function checkJournal(home: Home): Promise<Check> {
  const name = 'journal'
  const journal = new Journal({ home: home.path })
  const health = await journal.health()
  if (health.state === 'absent') return { name, status: 'ok', detail: 'starts with the first change' }
  if (health.state === 'ok') {
    const detail = health.entries === 1 ? '1 entry' : `${health.entries} entries`
    return { name, status: 'ok', detail }
  }
  return {
    name,
    status: 'problem',
    detail: health.problem,
    fix:
      health.state === 'unreadable'
        ? `chown -R "$(id -un)" "${journal.gitdir}"`
        : `mv "${journal.gitdir}" "${journal.gitdir}.${health.state === 'corrupt' ? 'damaged' : 'foreign'}"`,
  }
}

function checkIndex(): Check {
  const name = 'index'
  try {
    using db = new DatabaseSync(':memory:')
    db.exec(`CREATE VIRTUAL TABLE probe USING fts5(text, tokenize = 'porter unicode61')`)
    const row = db.prepare('SELECT sqlite_version() AS version').get()
    return { name, status: 'ok', detail: `SQLite ${row?.version} with full-text search` }
  } catch (error) {
    return {
      name,
      status: 'problem',
      detail: `this Node's SQLite has no full-text search: ${because(error)}`,
      fix: 'use a Node from nodejs.org',
    }
  }
}

async function checkMemory(invocation: Invocation): Promise<Check> {
  const name = 'memory'
  try {
    using memory = await invocation.memory()
    const count = (await memory.list()).length
    const { problems } = await memory.doctor({ secrets: false })
    const kept = count === 1 ? '1 memory' : `${count} memories`
    if (problems.length === 0)
      return {
        name,
        status: 'ok',
        detail: count === 0 ? 'nothing kept yet' : `${kept}; index and files agree`,
      }
    const wrong = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    return { name, status: 'warning', detail: `${kept}, ${wrong}`, fix: 'reverie memory doctor' }
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    return { name, status: 'problem', detail: error.message, fix: 'reverie memory doctor' }
  }
}

async function checkSessions({ home }: Invocation): Promise<Check> {
  const name = 'sessions'
  try {
    const listed = (await Promise.all((await everySessions(home)).map(sessions => sessions.list()))).flat()
    const unusable = listed.filter(({ problem }) => problem !== undefined)
    const count = listed.length === 1 ? '1 session' : `${listed.length} sessions`
    if (unusable.length === 0) return { name, status: 'ok', detail: listed.length === 0 ? 'none yet' : count }
    return {
      name,
      status: 'warning',
      detail: `${count}, of which ${unusable.length} cannot be read: ${unusable[0]?.problem}`,
      fix: 'mend or remove the file',
    }
  } catch (error) {
    return { name, status: 'problem', detail: because(error), fix: `chown -R "$(id -un)" "${home.projects}"` }
  }
}

function checkSkills({ home, project, env }: Invocation, loaded: LoadedConfig | undefined): Check {
  const name = 'skills'
  const { disabled } = (loaded?.config ?? DEFAULTS).skills
  const { skills, problems } = new Skills({ home, project, directory: project.root, env, disabled }).find()
  const count = (wanted: ListedSkill['status']) => skills.filter(({ status }) => status === wanted).length
  const more = (['unavailable', 'proposed'] as const).filter(status => count(status) > 0)
  const detail = [`${count('ready')} ready`, ...more.map(status => `${count(status)} ${status}`)].join(', ')
  const [first] = problems
  if (!first) return { name, status: 'ok', detail }
  return {
    name,
    status: 'warning',
    detail: `${detail}; ${tilde(first.path)}: ${first.problem}`,
    fix:
      problems.length > 1
        ? `mend them: reverie skills list tells of all ${problems.length}`
        : 'mend the file',
  }
}

function checkModels(loaded: LoadedConfig | undefined, env: NodeJS.ProcessEnv): Check[] {
  const name = 'models'
  const config = loaded?.config ?? DEFAULTS
  const known = providerKeys(config, env)
  const missing = known.filter(({ found }) => !found)
  const found = known.filter(({ found }) => found)
  const checks: Check[] = missing.map(({ provider, place }) => ({
    name,
    status: 'warning',
    detail: `the key of ${provider} should be in ${place}, which is not set`,
    fix: `export ${place}=…`,
  }))
  const places = found.map(({ provider, place }) => `${provider} (${place})`).join(', ')
  const keys =
    places === ''
      ? 'no key found: the built-in mind answers (embedded); `reverie models` tells how to connect another'
      : `keys found: ${places}`
  const source = loaded?.sources.get('model')
  const chosen = config.model ? `${config.model} is chosen${source ? ` (${source})` : ''}; ` : ''
  if (places !== '' || missing.length === 0)
    checks.push({ name, status: places === '' ? 'note' : 'ok', detail: chosen + keys })
  return checks
}

/** A hook tells nobody what went wrong in it, so that nobody waits for it. */
function troubles(home: Home): Check[] {
  const problem = lastProblem(home.path)
  if (!problem) return []
  const detail = `a hook failed last at ${problem.at.slice(0, 16).replace('T', ' ')}: ${problem.reason}`
  return [{ name: 'agents', status: 'note', detail, fix: 'reverie memory doctor' }]
}

/** Other agents that memory was put into, where something is wrong with it. */
async function checkAgents({ home, env }: Invocation): Promise<Check[]> {
  const { standings, thisMachine } = await import('../surfaces/connect/index.ts')
  const name = 'agents'
  const listed = await standings(home, thisMachine(home, env))
  const connected = listed.filter(({ state }) => state === 'connected').map(({ name }) => name)
  const wrong = listed.filter(({ state }) => state === 'broken' || state === 'outdated')
  return [
    ...(connected.length > 0
      ? [{ name, status: 'ok', detail: `connected: ${connected.join(', ')}` } as const]
      : []),
    ...troubles(home),
    ...wrong.map(({ agent, name: called, state, detail }): Check => {
      const status = state === 'broken' ? 'problem' : 'note'
      return { name, status, detail: `${called}: ${detail}`, fix: `reverie connect ${agent}` }
    }),
  ]
}

function tilde(path: string): string {
  return path === homedir() || path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path
}
