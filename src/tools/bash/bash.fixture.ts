import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { BackgroundTasks, type TaskEnd, type TaskQuestion } from '../../work/index.ts'
import type { Tool } from '../tool.ts'
import { bashTools } from './bash.ts'
import type { ShellLimits } from './limits.ts'
import type { SandboxOptions } from './sandbox.ts'
import { Shells } from './shells.ts'

/** Never reached by a test that passes; a condition is waited for in place of a time. */
const FAR_OFF_MS = 30_000

interface Given {
  limits?: Partial<ShellLimits>
  sandbox?: SandboxOptions
  environment?: NodeJS.ProcessEnv
}

/** A workspace with its tools. When the test ends, no process that came from it may be left. */
export function shellBench({ limits, sandbox, environment = process.env }: Given = {}) {
  const root = realpathSync(temporaryDirectory())
  const outputs = join(realpathSync(temporaryDirectory()), 'outputs')
  const workspace = { root, directory: root, outputs }
  const background = new BackgroundTasks({ directory: join(outputs, '..', 'background') })
  const shells = new Shells(background)
  const ends: TaskEnd[] = []
  const questions: TaskQuestion[] = []
  background.onEnd(end => ends.push(end))
  background.onQuestion(question => questions.push(question))
  // Not the mark that the code under test goes by.
  const trace = `trace-${randomBytes(8).toString('hex')}`
  const tools = bashTools({
    workspace,
    shells,
    environment: { ...environment, TEST_TRACE: trace },
    limits: { graceMs: 300, ...limits },
    ...(sandbox && { sandbox }),
  })
  onTestFinished(async () => {
    await shells.close()
    expect(processesWith(trace)).toEqual([])
  })
  const run = async (name: string, input: object, signal = new AbortController().signal) => {
    const tool = tools.find(tool => tool.name === name) as Tool
    const progress: string[] = []
    const context = { call: 'c', signal, progress: (text: string) => progress.push(text), ask: undefined }
    const { text } = await tool.run(tool.input.parse(input), context)
    return { text, progress }
  }
  const bash = async (command: string, more: object = {}, signal?: AbortSignal) =>
    (await run('bash', { command, ...more }, signal)).text
  return {
    workspace,
    background,
    shells,
    tools,
    ends,
    questions,
    run,
    bash,
    /** Command lines of what still runs. */
    left: () => processesWith(trace),
    folder(name: string) {
      mkdirSync(join(root, name), { recursive: true })
      return join(root, name)
    },
  }
}

function processesWith(trace: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => contentOf(`/proc/${pid}/environ`).includes(trace))
    .map(pid => contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
}

/** Of a process that is gone, or a zombie, nothing. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Returns as soon as it holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + FAR_OFF_MS; !(await condition()); await wait(10))
    if (performance.now() > end) throw new Error(`it did not become true: ${condition}`)
}
