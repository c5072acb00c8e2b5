import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeAt } from '../../src/config/index.ts'
import { ownIdentity } from '../../src/store/index.ts'
import {
  backgroundDirectory,
  perform,
  RunLedger,
  runFile,
  Schedule,
  TaskList,
  TaskRecords,
} from '../../src/work/index.ts'
import { assertRule } from '../kill/scenario.ts'
import { isRoot } from './reverie.ts'

const project = { slug: 'p' }
const BLOCK = Buffer.alloc(4096)

/** The disk fills up while tasks, jobs and runs are written: whoever asks is told, nothing is torn, and all goes on when there is room. */
export async function trouble(): Promise<string> {
  if (!isRoot) return 'NOT TRIED: only root can mount a small disk'
  const disk = mkdtempSync(join(tmpdir(), 'reverie-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status !== 0) {
    rmSync(disk, { recursive: true })
    return 'NOT TRIED: no small disk can be mounted here'
  }
  try {
    return await fillUp(disk)
  } finally {
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true })
  }
}

async function fillUp(disk: string): Promise<string> {
  const home = homeAt(join(disk, 'home'))
  mkdirSync(home.path)
  const tasks = new TaskList(home, project, { liveness: () => 'dead' })
  const schedule = new Schedule(home, project)
  const ledger = new RunLedger(runFile(home, project))
  const gone = { pid: 1, startTime: '', bootId: '', host: '' }
  const records = new TaskRecords(backgroundDirectory(home, project))
  const task = { id: 'sh_00000000', kind: 'command', title: 'first', session: 's', owner: lost() } as const
  const createdAt = new Date().toISOString()
  await records.write({ ...task, status: 'running', createdAt, outputFile: join(disk, 'none') })
  for (let count = 0; count < 5; count++) await tasks.create({ subject: 'first' })
  await tasks.claim(1, { name: 'agent', process: gone })
  const { id } = await schedule.add({ every: '1h', prompt: 'first', madeBy: 'person', durable: true })
  const signal = new AbortController().signal
  const told: string[] = []
  const tell = (error: unknown) => void told.push(error instanceof Error ? error.message : String(error))

  // A run that begins while there is room, and ends when there is none.
  const run = perform(ledger, {
    ...{ trigger: 'schedule', source: id, signal },
    advance: async () => {},
    work: async () => fill(disk),
  })
  await run.then(() => assertRule(false, 'its end cannot be written down'), tell)
  const seen = await tasks.list()
  const [command] = await records.list()
  assertRule(
    command?.status === 'failed',
    'what was left in the background is lost, though that cannot be written',
  )
  assertRule(seen.problems.length === 0, `every task can be read: ${JSON.stringify(seen.problems)}`)
  assertRule(
    seen.tasks[0]?.status === 'pending',
    'what a dead process had is free, though that cannot be written',
  )
  await tasks.create({ subject: 'no room', blockedBy: [1, 2, 3, 4, 5] }).catch(tell)
  await schedule.add({ every: '1h', prompt: 'no room', madeBy: 'person', durable: true }).catch(tell)
  await ledger.begin('schedule', 'other').then(() => assertRule(false, 'no run without a line'), tell)
  assertRule(told.length === 4, `everybody is told: ${told.join(' | ')}`)
  for (const message of told) assertRule(/disk is full|no space/i.test(message), `and why: ${message}`)
  assertRule(schedule.list().jobs.length === 1, 'the jobs are as they were')

  const halves = await runOutOfRoom(disk, tasks)
  const { tasks: after, problems } = await tasks.list()
  assertRule(problems.length === 0, `every task can be read: ${JSON.stringify(problems)}`)
  for (const task of after)
    for (const other of task.blockedBy)
      assertRule(after.find(each => each.id === other)?.blocks.includes(task.id) === true, 'both directions')
  await records.recover(new Date())
  const heard = [...(await records.takeUntold('s')), ...(await records.takeUntold('s'))]
  assertRule(heard.length === 1, 'its conversation hears of it once')
  await ledger.recover()
  assertRule(ledger.newest(id)?.status === 'completed', 'how the run ended is written down after all')
  assertRule((await tasks.claim(2, { name: 'ann' })).claimed, 'tasks can be claimed')
  await schedule.add({ every: '1h', prompt: 'more', madeBy: 'person', durable: true })
  const begun = await ledger.begin('schedule', id)
  assertRule('run' in begun, 'the next run begins')
  return `${told.length + halves} were told (${told[0]?.slice(0, 100)}), nothing was torn, and it went on`
}

/** With room for so many pages more, a change to six files stops at every place that it can; returns how often it did. */
async function runOutOfRoom(disk: string, tasks: TaskList): Promise<number> {
  const ballast = join(disk, 'ballast')
  let halves = 0
  for (let pages = 0; pages < 20; pages++) {
    rmSync(ballast)
    fill(disk)
    truncateSync(ballast, statSync(ballast).size - pages * BLOCK.length)
    const subject = `with ${pages} pages`
    const error = await tasks.create({ subject, blockedBy: [1, 2, 3, 4, 5] }).then(
      () => undefined,
      error => error as Error,
    )
    if (error) assertRule(/disk is full|no space/i.test(error.message), `it says why: ${error.message}`)
    const isHalf = error !== undefined && /do not ask for it again/.test(error.message)
    if (isHalf) halves++
    rmSync(ballast)
    const isThere = (await tasks.list()).tasks.some(task => task.subject === subject)
    assertRule(
      isThere === (error === undefined || isHalf),
      `${subject}: what was said is so: ${error?.message}`,
    )
    writeFileSync(ballast, '')
  }
  rmSync(ballast)
  return halves
}

/** A process of this machine that is gone. */
function lost() {
  return { ...ownIdentity(), pid: 2 ** 22 + 1 }
}

/** To the last byte. */
function fill(disk: string): void {
  const file = openSync(join(disk, 'ballast'), 'w')
  try {
    for (;;) writeSync(file, BLOCK)
  } catch {
    // It is full.
  } finally {
    closeSync(file)
  }
}
