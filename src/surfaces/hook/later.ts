/** What a hook leaves to a process of its own: learning what was said, taking the conversation over, dreaming. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Config,
  expandTilde,
  findProject,
  type Home,
  homeAt,
  loadConfig,
  type Project,
} from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { EMBEDDED } from '../../models/index.ts'
import { because, isInside } from '../../store/index.ts'
import { AGENTS, type ImportAgent } from '../import/agents.ts'
import { isScript } from '../import/codex/source.ts'
import { sessionIdFor } from '../import/ids.ts'
import { importFrom } from '../import/index.ts'
import { Bound } from './bound.ts'
import type { LaterTask } from './hook.ts'
import { learn } from './learn.ts'
import { Trail } from './trail.ts'

/** Longer than a save that waits in line takes; what is killed is asked for again with the next answer. */
const BOUND_MS = 3 * 60_000
/** Longer than a dream may take (3-dream.md). */
const DREAM_BOUND_MS = 20 * 60_000

/** Agents whose conversations can be read where they write them down. */
const READABLE: ReadonlySet<string> = new Set(['claude-code', 'codex'] satisfies ImportAgent[])

interface Place {
  home: Home
  project: Project
  config: Config
  memory: Memory
}

export async function workLater(task: LaterTask): Promise<void> {
  if (!existsSync(task.home)) return
  const trail = new Trail(task.home, task.agent, task.session)
  using bound = await Bound.begin(BOUND_MS)
  const home = homeAt(task.home)
  try {
    const steps = await stepsFor(task)
    const project = findProject(task.directory)
    const loaded = await loadConfig({ home, project: undefined, env: process.env, flags: {} })
    const config = withOwnModel(loaded.config)
    using memory = await Memory.open({ home, project, directory: config.memory.dir })
    const place: Place = { home, project, config, memory }
    for (const step of steps) await step(place, { task, trail, bound })
  } catch (error) {
    trail.fail(because(error), new Date())
  }
}

interface Work {
  task: LaterTask
  trail: Trail
  bound: Bound
}

/** The environment is the other agent's: a key in it was given to that one, and nobody said that Reverie may spend it. */
function withOwnModel(config: Config): Config {
  const isSet = config.model !== undefined || Object.keys(config.providers).length > 0
  return isSet ? config : { ...config, model: EMBEDDED }
}

type Step = (place: Place, work: Work) => Promise<void>

async function stepsFor({ agent, event, transcript }: LaterTask): Promise<readonly Step[]> {
  if (event === 'start') return [makeReady]
  const rollout = agent === 'codex' && transcript && ownTranscript(agent, transcript, process.env)
  if (rollout && (await isScript(rollout))) return [leaveAlone]
  const over: readonly Step[] = [learnFrom, takeOver, dreamIfTime]
  // Not every Codex tells when a session is over.
  return event === 'end' || agent === 'codex' ? over : [learnFrom]
}

/** The index as it will be asked, and nothing of sessions that nobody goes on with. */
async function makeReady({ memory }: Place, { trail }: Work): Promise<void> {
  await memory.list()
  trail.sweep(new Date())
}

/** What a script said is nothing to learn from, and nothing to keep. */
async function leaveAlone(_: Place, { trail }: Work): Promise<void> {
  trail.takeSaid()?.done()
}

async function learnFrom({ memory, config }: Place, { task, trail }: Work): Promise<void> {
  const taken = trail.takeSaid()
  if (!taken) return
  try {
    const lines = await learn(taken.said, {
      memory,
      config,
      env: process.env,
      session: sessionIdFor(task.agent, task.session),
      cursorPath: trail.cursorPath,
    })
    for (const line of lines) trail.tell(line)
    taken.done()
  } catch (error) {
    taken.keep()
    throw error
  }
}

/** The conversation, so that search and dreams have it; only from where the agent keeps its conversations. */
async function takeOver(
  { home, project, memory, config }: Place,
  { task: { agent, transcript } }: Work,
): Promise<void> {
  if (!isReadable(agent) || transcript === undefined) return
  const from = ownTranscript(agent, transcript, process.env)
  if (from === undefined) return
  const memoryDirectory = () => Promise.resolve(config.memory.dir)
  await importFrom({ agent, from, home, project, memoryDirectory })
  await memory.list()
}

function isReadable(agent: string): agent is ImportAgent {
  return READABLE.has(agent)
}

/** The real path of a transcript below the agent's own directory; undefined for anything else. */
export function ownTranscript(agent: ImportAgent, path: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    const own = AGENTS[agent].usualPlace(env)
    const real = realpathSync(path)
    const root = own === undefined ? undefined : realpathSync(expandTilde(own))
    const below = ['projects', 'sessions', 'archived_sessions'].map(name => root && join(root, name))
    const isOwn = below.some(directory => directory && isInside(directory, real))
    return isOwn && /\.jsonl(?:\.zst)?$/.test(real) && statSync(real).isFile() ? real : undefined
  } catch {
    return undefined // it is not there, or not yet
  }
}

async function dreamIfTime(place: Place, { task, trail, bound }: Work): Promise<void> {
  const { dream, mayDream } = await import('../../dream/index.ts')
  const { dreamContext, dreamLine } = await import('../../assembly/index.ts')
  // A session that is over is one to dream about.
  const session = task.event === 'end' ? undefined : sessionIdFor(task.agent, task.session)
  const context = dreamContext({ ...place, env: process.env, session })
  if (!(await mayDream(context)).open) return
  await bound.extend(DREAM_BOUND_MS)
  const signal = AbortSignal.timeout(DREAM_BOUND_MS - 60_000)
  const line = dreamLine(await dream(context, { force: true, signal }))
  if (line !== undefined) trail.tell(line)
}
