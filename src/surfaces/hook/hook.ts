/**
 * What other agents run when something happens in them. It never keeps them waiting: whatever goes wrong, it ends
 * quietly and in time, and with 0. `bin/reverie` ends what cannot end itself.
 */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { canTellPerson, printAnswer } from './answer.ts'
import type { Look, LookTask } from './look.ts'
import {
  HOOK_AGENTS,
  HOOK_EVENTS,
  type HookAgent,
  type HookEvent,
  readPayload,
  saysSomething,
  type Told,
} from './payload.ts'
import { Trail } from './trail.ts'

/** Since the process began. `bin/reverie` ends it then; it ends by itself half a second before. */
const LIMIT_SECONDS = 2
const LONGEST_LIMIT_SECONDS = 3_600
const BEFORE_IT_MS = 500
/** How long a payload is waited for. */
const INPUT_MS = 700
const LARGEST_INPUT = 4 * 1024 * 1024

/** What is done when the agent has gone on. */
export interface LaterTask {
  home: string
  agent: HookAgent
  event: HookEvent
  session: string
  directory: string
  transcript?: string | undefined
}

/** Words after `hook`: AGENT EVENT [--home DIR]. */
export async function runHook(words: readonly string[]): Promise<void> {
  const end = (): never => process.exit(0)
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
  for (const stream of [process.stdout, process.stderr, process.stdin]) stream.on('error', end)
  const moment: { task?: LaterTask } = {}
  setTimeout(
    () => {
      // The next time it is ready: an index of ten thousand memories takes longer than this when it is made.
      if (moment.task) later({ ...moment.task, event: 'start' })
      end()
    },
    limitOf(process.env.REVERIE_HOOK_SECONDS) * 1_000 - BEFORE_IT_MS - process.uptime() * 1_000,
  )
  await answerHook(words, moment)
  end()
}

/** In seconds: a slow machine may be given longer. What is no such time counts for nothing, as in `bin/reverie`. */
export function limitOf(given: string | undefined): number {
  const seconds = Number(given)
  return seconds > 0 && seconds <= LONGEST_LIMIT_SECONDS ? seconds : LIMIT_SECONDS
}

async function answerHook(words: readonly string[], moment: { task?: LaterTask }): Promise<void> {
  const [agent, event] = words
  const home = homeOf(words)
  if (!isOneOf(HOOK_AGENTS, agent) || !isOneOf(HOOK_EVENTS, event)) return
  // Cursor runs the hooks of Claude Code as well; whoever wants memory there has connected it there.
  if (agent === 'claude-code' && process.env.CURSOR_VERSION) return
  const told = readPayload(await input())
  if (!told || told.unattended || !existsSync(home)) return
  const directory = workPlace(told)
  if (directory === undefined) return
  const { session, transcript } = told
  moment.task = { home, agent, event, session, directory, transcript }
  const trail = new Trail(home, agent, session)
  const answer = await new Answering(agent, event, trail, told).answer({ home, directory })
  if (answer !== '') process.stdout.write(`${answer}\n`)
  if (event !== 'prompt' && isWorthwhile(moment.task, trail)) later(moment.task)
}

function isOneOf<T extends string>(all: readonly T[], word: string | undefined): word is T {
  return (all as readonly string[]).includes(word ?? '')
}

function homeOf(words: readonly string[]): string {
  const at = words.indexOf('--home')
  const given = at < 0 ? undefined : words[at + 1]
  const path = given || process.env.REVERIE_HOME || '~/.reverie'
  return resolve(path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
}

/** All of the payload; what is too long, or does not end in time, is cut and will be no payload. */
async function input(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const { promise, resolve: done } = Promise.withResolvers<void>()
  const chunks: Buffer[] = []
  let size = 0
  process.stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > LARGEST_INPUT) done()
  })
  process.stdin.on('end', done)
  const patience = setTimeout(done, INPUT_MS)
  await promise
  clearTimeout(patience)
  process.stdin.pause()
  return size > LARGEST_INPUT ? '' : Buffer.concat(chunks).toString('utf8')
}

/** Where the agent works; else where it has started this. */
function workPlace({ directory }: Told): string | undefined {
  const place = directory ?? process.cwd()
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ? place : undefined
}

class Answering {
  #agent: HookAgent
  #event: HookEvent
  #trail: Trail
  #told: Told

  constructor(agent: HookAgent, event: HookEvent, trail: Trail, told: Told) {
    this.#agent = agent
    this.#event = event
    this.#trail = trail
    this.#told = told
  }

  async answer(place: Pick<LookTask, 'home' | 'directory'>): Promise<string> {
    const [event, trail, { prompt, reply, resumed }] = [this.#event, this.#trail, this.#told]
    const message = canTellPerson(this.#agent, event) ? trail.news() : undefined
    let look: Look | undefined
    if (event === 'start' && !resumed) {
      trail.showAnew()
      look = await this.#look({ ...place, prompt: undefined, shown: [] })
    }
    const said = event === 'prompt' && saysSomething(prompt) ? await this.#words(prompt) : ''
    if (saysSomething(said)) {
      if (!asksAsProgram(this.#agent, process.env, prompt))
        quietly(() => trail.say({ who: 'person', text: said, at: new Date().toISOString() }))
      look = await this.#look({ ...place, prompt: said, shown: trail.shown() })
      const { shown = [] } = look ?? {}
      quietly(() => trail.show(shown))
    }
    if (event === 'stop' && reply !== '' && trail.hasSaid)
      quietly(() => trail.say({ who: 'agent', text: reply, at: new Date().toISOString() }))
    const answer = printAnswer(this.#agent, event, { context: look?.context, message })
    if (message !== undefined && answer !== '') quietly(() => trail.told())
    return answer
  }

  async #words(prompt: string): Promise<string> {
    const { wordsOf } = await import('./words.ts')
    return wordsOf(this.#agent, prompt)
  }

  async #look(task: LookTask): Promise<Look | undefined> {
    try {
      const { look } = await import('./look.ts')
      return await look(task)
    } catch (error) {
      quietly(() => this.#trail.fail(error instanceof Error ? error.message : String(error), new Date()))
      return undefined
    }
  }
}

/**
 * A script speaks for nobody: what it says is not the owner's word. Gemini CLI tells it by nothing but the place of what
 * the start of a session was given: before the prompt, and in a conversation in a message of its own. Of Codex, the
 * beginning of its transcript tells it, later.
 */
function asksAsProgram(agent: HookAgent, env: NodeJS.ProcessEnv, prompt = ''): boolean {
  if (agent === 'gemini') return prompt.startsWith('<hook_context>')
  return agent === 'claude-code' && (env.CLAUDE_CODE_ENTRYPOINT ?? '').startsWith('sdk')
}

/** What a hook leaves for the next is worth having and worth nothing to wait or fail for: the disk may be full. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // nobody here can be told
  }
}

function isWorthwhile({ agent, event }: LaterTask, trail: Trail): boolean {
  if (event === 'start') return true
  if (asksAsProgram(agent, process.env)) return false
  // A Codex of before July 2026 does not tell when a session is over: each answer may be the last.
  return event === 'end' || agent === 'codex' || trail.hasSaid
}

/** Goes on in a process of its own, which nobody waits for. */
function later(task: LaterTask): void {
  const [, entry = ''] = process.argv
  quietly(() =>
    spawn(process.execPath, [entry, 'hook', '--later', JSON.stringify(task)], {
      detached: true,
      stdio: 'ignore',
      cwd: task.home,
      windowsHide: true,
    })
      .on('error', () => {}) // no process can be had: the next answer asks again
      .unref(),
  )
}
