/** The prompt of a job, answered with nobody there, in a session of its own. */
import type { Agent } from '../agent/index.ts'
import type { Config, Home, Project } from '../config/index.ts'
import { loadPrompt, type Section } from '../context/index.ts'
import { Memory } from '../memory/index.ts'
import {
  type Message,
  newRunSessionId,
  Sessions,
  sourceOfRunSession,
  textOf,
  titleFrom,
} from '../session/index.ts'
import { because, ReverieError } from '../store/index.ts'
import { type DueRun, isFinal, type RunLedger } from '../work/index.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'

export interface RunPlace {
  home: Home
  project: Project
  env: NodeJS.ProcessEnv
  /** As it is when the run begins. */
  config(): Promise<Config>
  /** Without it nothing is recalled. */
  withMemory: boolean
  ledger: RunLedger
  open(options: ConversationOptions): Promise<Conversation>
}

export interface RunResult {
  session: string
  /** The last words of the answer. */
  text: string
}

class RunFailed extends ReverieError {}

/** Of what it said the last time; enough to tell whether something has changed. */
const LAST_WORDS = 2_000
/** Sessions of one job that are kept, and of all of them. */
const KEPT_OF_A_JOB = 10
const KEPT_OF_ALL = 200

export async function answerDue(due: DueRun, signal: AbortSignal, place: RunPlace): Promise<RunResult> {
  const { home, project, env, withMemory, ledger, open } = place
  signal.throwIfAborted()
  const config = await place.config()
  const before = await lastAnswer(new Sessions(home, project), due.source)
  using memory = withMemory ? await Memory.open({ home, project, directory: config.memory.dir }) : undefined
  const id = newRunSessionId(due.source, new Date())
  await using conversation = await open({
    home,
    project,
    config,
    env,
    brief: true,
    answersJob: true,
    sections: [runSection(due)],
    newSession: { id, title: titleFrom(`${due.trigger}: ${due.prompt}`) },
    ...(memory && { memory }),
  })
  const { agent } = conversation
  const stop = () => agent.interrupt()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await ledger.noteSession(due.run, id)
    if (before !== '') agent.inform('the run before this one', { lastWords: before })
    await answer(agent, due, signal)
    return { session: id, text: lastWords(agent.messages) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What it left in the background belongs to the answer: it is waited for, and its end heard. */
async function answer(agent: Agent, { prompt }: DueRun, signal: AbortSignal): Promise<void> {
  const nobody = () => {}
  signal.throwIfAborted()
  let end = await agent.send(prompt, nobody, { origin: 'schedule' })
  while (end.reason === 'answered') {
    await untilQuiet(agent, signal)
    signal.throwIfAborted()
    const more = await agent.attend(nobody)
    if (more === undefined) return
    end = more
  }
  signal.throwIfAborted()
  throw new RunFailed(end.message ?? `it ended without an answer (${end.reason})`)
}

function untilQuiet({ background }: Agent, signal: AbortSignal): Promise<void> {
  const isQuiet = () => signal.aborted || background.list().every(({ status }) => isFinal(status))
  return new Promise(resolve => {
    if (isQuiet()) return resolve()
    const look = () => {
      if (!isQuiet()) return
      unlisten()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unlisten = background.onChange(look)
    signal.addEventListener('abort', look)
  })
}

function runSection({ source }: DueRun): Section {
  return {
    name: 'scheduled run',
    side: 'project',
    dependsOn: async () => '',
    make: async () => `${await loadPrompt('schedule')}\n\nThe id of this job is ${source}.`,
  }
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(message => message.role === 'assistant' && textOf(message) !== '')
  return last ? textOf(last).trim() : ''
}

async function lastAnswer(sessions: Sessions, source: string): Promise<string> {
  const ids = (await sessions.ids()).filter(id => sourceOfRunSession(id) === source).toSorted()
  const newest = ids.at(-1)
  if (newest === undefined) return ''
  try {
    return lastWords((await sessions.load(newest)).messages).slice(0, LAST_WORDS)
  } catch {
    return '' // a session that cannot be read keeps no job from running
  }
}

/** Sessions of runs that are too many; those of a job by themselves, the oldest first. */
export function runSessionsToDrop(ids: readonly string[]): string[] {
  const newestFirst = ids
    .filter(id => sourceOfRunSession(id) !== undefined)
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  const kept = new Map<string, number>()
  let all = 0
  return newestFirst.filter(id => {
    const source = sourceOfRunSession(id) ?? ''
    const count = kept.get(source) ?? 0
    if (count >= KEPT_OF_A_JOB || all >= KEPT_OF_ALL) return true
    kept.set(source, count + 1)
    all++
    return false
  })
}

function timeOf(id: string): string {
  return id.slice(-'20261118-092412-k3f9'.length)
}

/** What was not talked in goes for good: a job that runs every minute must not fill the disk. */
export async function dropOldRunSessions(
  home: Home,
  project: Project,
  tell: (text: string) => void,
): Promise<void> {
  const sessions = new Sessions(home, project)
  for (const id of runSessionsToDrop(await sessions.ids()))
    try {
      const { messages } = await sessions.load(id)
      if (messages.every(({ origin }) => origin !== 'person')) await sessions.discard(id)
    } catch (error) {
      tell(`The session ${id} of an old run could not be removed: ${because(error)}`)
    }
}
