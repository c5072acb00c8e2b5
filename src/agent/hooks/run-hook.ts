import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { z } from 'zod'
import { withoutKeys } from '../../tools/index.ts'
import type { Hook, HookAnswer, HookInput } from './hook.ts'

/** How a hook ended. */
export type HookOutcome = { kind: 'answered'; answer: HookAnswer } | { kind: 'failed'; problem: string }

const DEFAULT_TIMEOUT_MS = 10_000
const LONGEST_TIMEOUT_MS = 60_000
/** A hook's answer is a few lines. What it says beyond this is not read. */
const MOST_ANSWER_BYTES = 256 * 1024
/** How long the output of one that has ended is waited for. */
const LINGER_MS = 500
/** By which a command blocks without answering in JSON; its stderr is the reason. */
const EXIT_BLOCK = 2

const ANSWER = z.object({
  decision: z.enum(['allow', 'block']).optional(),
  reason: z.string().optional(),
  input: z.unknown().optional(),
  context: z.string().optional(),
})

export interface HookSurroundings {
  directory: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

/** Runs one hook. It never throws and never takes longer than its time. */
export async function runHook(
  hook: Hook,
  input: HookInput,
  { directory, env, signal }: HookSurroundings,
): Promise<HookOutcome> {
  const limit = Math.min(hook.timeoutMs ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(limit)])
  const name = hook.command ?? hook.url ?? ''
  try {
    const environment = hook.fromProject ? withoutKeys(env) : env
    if (hook.command !== undefined)
      return await runCommand(hook.command, input, directory, environment, timeout)
    if (hook.url !== undefined) return await ask(hook.url, input, timeout)
    return failed('it has neither a command nor an address')
  } catch (error) {
    if (signal.aborted) return failed(`${name}: interrupted`)
    if (timeout.aborted) return failed(`${name} did not answer within ${limit} ms`)
    return failed(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function runCommand(
  command: string,
  input: HookInput,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<HookOutcome> {
  signal.throwIfAborted()
  // A group of its own, so that whatever it has started ends with it.
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  signal.addEventListener('abort', kill, { once: true })
  try {
    child.stdin.on('error', () => {}) // one that does not want to know need not read
    child.stdin.end(JSON.stringify(input))
    const said = [firstBytes(child.stdout), firstBytes(child.stderr)] as const
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const code = await ended
    // What it has left running may hold its output open for as long as it likes.
    const lingers = setTimeout(() => release(child), LINGER_MS)
    const [stdout, stderr] = await Promise.all(said)
    clearTimeout(lingers)
    signal.throwIfAborted()
    if (code === EXIT_BLOCK) return { kind: 'answered', answer: { decision: 'block', reason: stderr.trim() } }
    if (code !== 0) return failed(`${command} ended with ${code}: ${stderr.trim().slice(0, 500)}`)
    return readAnswer(stdout, command)
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    release(child)
  }
}

function release({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
  for (const stream of [stdin, stdout, stderr]) stream.destroy()
}

async function firstBytes(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < MOST_ANSWER_BYTES) chunks.push(chunk)
    size += chunk.length
  })
  await new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve())
  })
  return Buffer.concat(chunks).toString('utf8')
}

async function ask(url: string, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    redirect: 'error',
    signal,
  })
  const text = await readBody(response)
  if (!response.ok) return failed(`${url} answered ${response.status}`)
  return readAnswer(text, url)
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) throw new Error('its answer is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Nothing, or words that are no JSON, mean that it has no objection. */
function readAnswer(text: string, name: string): HookOutcome {
  if (!text.trim().startsWith('{')) return { kind: 'answered', answer: {} }
  try {
    const { decision, reason, input, context } = ANSWER.parse(JSON.parse(text))
    return {
      kind: 'answered',
      answer: {
        ...(decision && { decision }),
        ...(reason !== undefined && { reason }),
        ...(input !== undefined && { input }),
        ...(context !== undefined && { context }),
      },
    }
  } catch {
    return failed(`${name} answered with something that is not an answer of a hook`)
  }
}

function failed(problem: string): HookOutcome {
  return { kind: 'failed', problem }
}
