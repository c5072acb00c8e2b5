import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeAt } from '../../src/config/index.ts'
import { TaskList } from '../../src/work/index.ts'
import { randomFrom } from '../random.ts'
import { judgeTasks, type TaskVerdict } from './judge.ts'

export interface CrowdOptions {
  processes: number
  tasks: number
  /** How often one of them is killed. */
  kills: number
  seed: number
}

export interface CrowdResult extends TaskVerdict {
  kills: number
  ms: number
}

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const MOST_BLOCKERS = 3
/** How far back a task's blockers lie: near, so that much of the list waits for something. */
const REACH = 30
const LONGEST_LIFE_MS = 800

/** Lets processes do a list of tasks that wait for each other, killing some of them, and checks what was done. */
export async function crowd(options: CrowdOptions): Promise<CrowdResult> {
  const directory = mkdtempSync(join(tmpdir(), 'reverie-tasks-torture-'))
  const started = performance.now()
  const random = randomFrom(options.seed)
  const list = new TaskList(homeAt(directory), { slug: 'p' })
  const blockers = new Map<number, readonly number[]>()
  const below = (bound: number) => Math.floor(random() * bound)
  for (let id = 1; id <= options.tasks; id++) {
    const wanted = Array.from({ length: below(MOST_BLOCKERS + 1) }, () => id - 1 - below(REACH))
    const blockedBy = [...new Set(wanted.filter(other => other > 0))].sort((a, b) => a - b)
    blockers.set(id, blockedBy)
    await list.create({ subject: `Task ${id}`, blockedBy })
  }

  let kills = 0
  const running = new Set<() => void>()
  const runWorker = async (number: number) => {
    for (let life = 0; ; life++) {
      const args = [
        WORKER,
        directory,
        `worker-${number}-${life}`,
        String(options.seed + number * 1_009 + life),
      ]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const end = () => child.kill('SIGKILL')
      running.add(end)
      let fate: NodeJS.Timeout | undefined
      // From its first word on: a start takes long among so many, and nothing happens in it.
      child.stdout.once('data', () => {
        if (kills < options.kills) fate = setTimeout(end, random() * LONGEST_LIFE_MS)
      })
      const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
        child.once('close', (...ending) => resolve(ending)),
      )
      running.delete(end)
      clearTimeout(fate)
      if (code === 0) return
      if (signal !== 'SIGKILL') throw new Error(`worker ${number} ended with ${code ?? signal}`)
      kills++
    }
  }
  try {
    await Promise.all(Array.from({ length: options.processes }, (_, number) => runWorker(number)))
    const record = readFileSync(join(directory, 'record'), 'utf8').trimEnd().split('\n')
    const { counts, violations } = judgeTasks(record, blockers)
    violations.push(...(await leftovers(list, blockers)))
    return { counts, violations, kills, ms: performance.now() - started }
  } finally {
    for (const end of running) end()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What is wrong with the list when everybody has gone. */
async function leftovers(
  list: TaskList,
  blockers: ReadonlyMap<number, readonly number[]>,
): Promise<string[]> {
  const { tasks, problems } = await list.list()
  const wrong = problems.map(({ file, problem }) => `${file}: ${problem}`)
  if (tasks.length !== blockers.size) wrong.push(`there are ${tasks.length} tasks, not ${blockers.size}`)
  for (const task of tasks) {
    if (task.status !== 'completed') wrong.push(`task ${task.id} is ${task.status}`)
    if (String(task.blockedBy) !== String(blockers.get(task.id)))
      wrong.push(`task ${task.id} lost what it waits for`)
    for (const other of task.blockedBy)
      if (!tasks.find(({ id }) => id === other)?.blocks.includes(task.id))
        wrong.push(`task ${other} does not know that task ${task.id} waits for it`)
  }
  return wrong
}
