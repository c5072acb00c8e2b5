import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { shellBench, until } from './bash.fixture.ts'

const idIn = (text: string) => /sh_[0-9a-f]+/.exec(text)?.[0] ?? ''

test('a command that takes long is moved to the background, goes on, and tells its end once', async () => {
  const { bash, background, ends, workspace, left } = shellBench({
    limits: { backgroundAfterMs: 200, timeoutMs: 400 },
  })
  const text = await bash('echo begun; until [ -e go ]; do sleep 0.05; done; echo over; exit 3', {
    description: 'waits',
  })
  const id = idIn(text)
  expect(text).toMatch(/\[Still running after 0.2 s, so it goes on in the background as sh_/)
  expect(background.list()).toMatchObject([{ id, status: 'running', title: 'waits' }])
  // Its 400 ms do not hold any more.
  await new Promise(resolve => setTimeout(resolve, 600))
  expect(ends).toEqual([])
  writeFileSync(join(workspace.root, 'go'), '')
  await until(() => ends.length > 0)
  const [task] = background.list()
  expect(ends).toEqual([
    {
      id,
      kind: 'command',
      title: 'waits',
      status: 'failed',
      exitCode: 3,
      summary: '"waits" failed with exit code 3. Its last line: over',
      outputFile: task?.outputFile,
    },
  ])
  expect(readFileSync(task?.outputFile ?? '', 'utf8')).toBe('begun\nover\n')
  await until(() => left().length === 0)
  // A final state stays.
  expect(await background.stop(id)).toMatchObject({ status: 'failed' })
  await background.close()
  expect(await background.get(id)).toMatchObject({ status: 'failed', exitCode: 3 })
  expect(ends).toHaveLength(1)
})

test('a limit of time that the caller set holds in the background too', async () => {
  const { bash, ends } = shellBench({ limits: { backgroundAfterMs: 100 } })
  await bash('sleep 1000', { timeoutMs: 500 })
  await until(() => ends.length > 0)
  expect(ends).toMatchObject([{ status: 'failed', exitCode: null }])
  expect(ends[0]?.summary).toContain('longer than its timeoutMs')
})

test('background: false is never moved', async () => {
  const { bash, background } = shellBench({ limits: { backgroundAfterMs: 50 } })
  expect(await bash('sleep 0.5; echo here', { background: false })).toBe('here')
  expect(background.list()).toEqual([])
})

test('background: true returns at once; it is read by parts, and stopped', async () => {
  const { bash, run, background, ends, left, workspace } = shellBench()
  const id = idIn(
    await bash(
      'printf "a\\xf0\\x9f"; until [ -e go ]; do sleep 0.05; done; printf "\\x98\\x80b"; sleep 1000',
      { background: true },
    ),
  )
  await until(async () => (await background.read(id)).size === 3)
  const first = await background.read(id, 0)
  expect(first).toEqual({ text: 'a', from: 0, next: 1, size: 3 })
  writeFileSync(join(workspace.root, 'go'), '')
  await until(async () => (await background.read(id)).size === 6)
  expect(await background.read(id, first.next)).toEqual({ text: '😀b', from: 1, next: 6, size: 6 })
  expect((await run('bg_read', { id })).text).toBe('a😀b\n\n[bytes 0 to 6 of 6; next: 6; running]')
  expect((await run('bg_read', { id, from: 99 })).text).toContain('next: 6')
  expect(JSON.parse((await run('bg_list', {})).text)).toMatchObject([{ id, status: 'running' }])
  expect((await run('bg_stop', { id })).text).toBe(`${id} was stopped.`)
  expect(left()).toEqual([])
  expect((await run('bg_stop', { id })).text).toBe(`${id} had ended before: cancelled.`)
  expect(ends).toMatchObject([{ id, status: 'cancelled', exitCode: null }])
  await expect(run('bg_stop', { id: 'sh_none' })).rejects.toThrow(`There are: ${id}.`)
})

test('that it is cancelled is final before its processes are gone', async () => {
  const { bash, background, ends, workspace, left } = shellBench({ limits: { graceMs: 500 } })
  const id = idIn(await bash('trap "" TERM; touch ready; while :; do sleep 0.1; done', { background: true }))
  await until(() => existsSync(join(workspace.root, 'ready')))
  const stopping = background.stop(id)
  expect(background.list()[0]?.status).toBe('cancelled')
  expect(ends).toHaveLength(1)
  expect(left()).not.toEqual([])
  await stopping
  expect(left()).toEqual([])
  expect(ends).toHaveLength(1)
})

test('many that end at the same time are each told once', async () => {
  const { bash, background, ends } = shellBench()
  const ids = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => idIn(await bash(`exit ${at % 2}`, { background: true }))),
  )
  await Promise.all(ids.map(id => background.stop(id)))
  await background.close()
  await until(() => ends.length >= 12)
  expect(ends.map(({ id }) => id).sort()).toEqual(ids.sort())
  for (const { id, status } of ends) expect((await background.get(id)).status).toBe(status)
})

test('one that waits for an answer in the background says so, and goes on', async () => {
  const { bash, run, background, questions, ends, workspace } = shellBench({ limits: { quietMs: 150 } })
  const id = idIn(
    await bash('printf "Overwrite? [y/N] "; until [ -e go ]; do sleep 0.05; done; echo; echo on', {
      background: true,
    }),
  )
  await until(() => questions.length > 0)
  expect(questions).toMatchObject([{ id, question: 'Overwrite? [y/N]' }])
  expect((await background.get(id)).waitingFor).toBe('Overwrite? [y/N]')
  expect((await run('bg_read', { id })).text).toContain('waits for an answer')
  writeFileSync(join(workspace.root, 'go'), '')
  await until(() => ends.length > 0)
  expect(ends).toMatchObject([{ status: 'completed', exitCode: 0 }])
  expect((await background.get(id)).waitingFor).toBeUndefined()
})

test('closing ends what runs in front as well', async () => {
  const { bash, shells, left, ends } = shellBench()
  const front = bash('sleep 1000')
  await until(() => left().some(line => line.startsWith('sleep')))
  await shells.close()
  expect(await front).toContain('it was stopped')
  expect(left()).toEqual([])
  expect(ends).toEqual([])
})

/** Starts a command in the background and has nothing more to do. */
const LEAVES = `
import { bashTools, Shells } from '${import.meta.resolve('./index.ts')}'
import { BackgroundTasks } from '${import.meta.resolve('../../work/index.ts')}'
const [, root, outputs, how] = process.argv
const shells = new Shells(new BackgroundTasks({ directory: root + '/background' }))
const [bash] = bashTools({ workspace: { root, directory: root, outputs }, shells })
const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
const command = 'setsid sh -c "echo \\\\$\\\\$ >> pids; trap : TERM; while :; do sleep 0.1; done" & echo $$ >> pids; trap "" TERM; while :; do sleep 0.1; done'
await bash.run({ command, background: true }, context)
const { readFileSync } = await import('node:fs')
const read = () => { try { return readFileSync(root + '/pids', 'utf8') } catch { return '' } }
while (read().split('\\n').length < 3) await new Promise(resolve => setTimeout(resolve, 20))
if (how === 'close') await shells.close()
if (how === 'close at SIGTERM') process.once('SIGTERM', () => void shells.close().then(() => process.exit(7)))
if (how.includes('SIG')) process.kill(process.pid, how.split(' ').at(-1))
if (how.includes('SIG')) setInterval(() => {}, 1_000)
`

test.each<[how: string, status: number | null, signal: string | null]>([
  ['end', 0, null],
  ['close', 0, null],
  ['SIGTERM', null, 'SIGTERM'],
  ['SIGHUP', null, 'SIGHUP'],
  ['SIGINT', null, 'SIGINT'],
  ['close at SIGTERM', 7, null],
])('nothing keeps the process alive, and nothing outlives it (%s)', async (how, ...ends) => {
  const root = temporaryDirectory()
  const args = ['--input-type=module', '-e', LEAVES, root, join(root, 'outputs'), how]
  const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })
  expect([status, signal, stderr]).toEqual([...ends, ''])
  const pids = readFileSync(join(root, 'pids'), 'utf8').trim().split('\n')
  expect(pids).toHaveLength(2)
  // What was sent a signal is gone a little later.
  for (const pid of pids) await expect.poll(() => existsSync(`/proc/${pid}/fd/1`)).toBe(false)
})

/** Runs a command that prints much, and tells how much memory that took. */
const PRINTS = `
import { bashTools, Shells } from '${import.meta.resolve('./index.ts')}'
import { BackgroundTasks } from '${import.meta.resolve('../../work/index.ts')}'
const [, root, megabytes, fileBytes] = process.argv
const workspace = { root, directory: root, outputs: root + '/outputs' }
const [bash] = bashTools({ workspace, shells: new Shells(new BackgroundTasks({ directory: root + '/background' })), limits: { fileBytes: Number(fileBytes) } })
const context = { call: 'c', signal: new AbortController().signal, progress() {}, ask: undefined }
await bash.run({ command: 'echo warm' }, context)
const before = process.resourceUsage().maxRSS
const { text } = await bash.run({ command: 'head -c ' + megabytes + 'M /dev/zero | tr "\\\\0" x', background: false }, context)
const after = process.resourceUsage().maxRSS
console.log(JSON.stringify({ beforeMB: before / 1024, afterMB: after / 1024, length: text.length, end: text.slice(-120) }))
`

/** `PRINTED_MB=1000 npx vitest run src/tools/bash/shells.test.ts` measures the full amount. */
const PRINTED_MB = process.env.PRINTED_MB ?? '200'

test('however much is printed, memory does not grow with it', () => {
  const root = temporaryDirectory()
  const args = ['--input-type=module', '-e', PRINTS, root, PRINTED_MB, String(4 * 1024 ** 3)]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  expect(stderr).toBe('')
  const { beforeMB, afterMB, length } = JSON.parse(stdout)
  if (process.env.PRINTED_MB) console.log(`${PRINTED_MB} MB printed: RSS ${beforeMB} MB, then ${afterMB} MB`)
  expect(length).toBeLessThanOrEqual(30_000)
  expect(afterMB - beforeMB).toBeLessThan(100)
})
