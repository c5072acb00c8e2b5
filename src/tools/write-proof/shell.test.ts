import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { NoRoots, openWriteProofShell, writeProofShellTool } from './shell.ts'

async function setUp() {
  const directory = fs.realpathSync(temporaryDirectory())
  const root = join(directory, 'in')
  fs.mkdirSync(join(root, 'sub'), { recursive: true })
  fs.writeFileSync(join(root, 'a.txt'), 'hello\n')
  fs.writeFileSync(join(directory, 'secret.txt'), 'CANARY\n')
  fs.symlinkSync(join(directory, 'secret.txt'), join(root, 'link'))
  fs.symlinkSync(directory, join(root, 'up'))
  const shell = await openWriteProofShell({ roots: [root], env: { GREETING: 'hi' } })
  return { directory, root, shell, run: (command: string) => shell.exec(command) }
}

test('reads, searches and counts like a shell', async () => {
  const { run, root } = await setUp()
  expect(await run('cat a.txt | tr a-z A-Z; pwd; echo $GREETING')).toEqual({
    stdout: `HELLO\n${root}\nhi\n`,
    stderr: '',
    exitCode: 0,
    cut: false,
  })
  expect(await run('cat nothing')).toMatchObject({ exitCode: 1, cut: false })
})

test('what is written is seen by the same command, and by nobody else', async () => {
  const { run, root } = await setUp()
  expect((await run('echo x > a.txt; mkdir d; rm -r sub; cat a.txt; ls')).stdout).toBe(
    'x\na.txt\nd\nlink\nup\n',
  )
  expect((await run('cat a.txt; ls')).stdout).toBe('hello\na.txt\nlink\nsub\nup\n')
  expect(fs.readdirSync(root).sort()).toEqual(['a.txt', 'link', 'sub', 'up'])
})

test.each([
  'cat ../secret.txt',
  'cat link',
  'cat up/secret.txt',
  'cat sub/../../secret.txt',
  'ln -s ../secret.txt l; cat l',
  'ln -s .. l; cat l/secret.txt',
  'cat /proc/self/root/etc/passwd',
  'cat /etc/passwd',
  'find / -name secret.txt -exec cat {} +',
  'grep -r CANARY /',
])('%s does not leave the roots', async command => {
  const { run } = await setUp()
  const { stdout } = await run(command)
  expect(stdout).not.toContain('CANARY')
  expect(stdout).not.toContain('root:')
})

test.each([
  'python3 -c 1',
  'node -e 1',
  'curl http://localhost',
  'git status',
  'sqlite3 x',
  'js-exec 1',
  './a.txt',
])('%s is not there', async command => {
  const { run } = await setUp()
  expect([126, 127]).toContain((await run(command)).exitCode)
})

test('it does not see the environment of this process', async () => {
  process.env.REVERIE_TEST_SECRET = 'CANARY'
  const { run } = await setUp()
  expect((await run('env; printenv; echo $REVERIE_TEST_SECRET; set')).stdout).not.toContain('CANARY')
})

test('time, output and work are bounded, and it can be stopped', async () => {
  const { shell, run } = await setUp()
  expect(await shell.exec('sleep 100', { timeoutMs: 50 })).toMatchObject({ exitCode: 124, cut: true })
  const stop = new AbortController()
  const stopped = shell.exec('sleep 100', { signal: stop.signal })
  stop.abort()
  expect(await stopped).toMatchObject({ cut: true })
  expect(await shell.exec('echo x', { signal: stop.signal })).toMatchObject({ cut: true })
  expect(await run('while true; do :; done')).toMatchObject({ exitCode: 126 })
  const long = await run('printf "%0300000d" 1')
  expect([long.stdout.length, long.cut]).toEqual([200_000, true])
})

test('several roots are seen under their own paths; what lies in another is not opened twice', async () => {
  const { directory, root } = await setUp()
  const other = join(directory, 'other')
  fs.mkdirSync(other)
  fs.writeFileSync(join(other, 'b.txt'), 'there\n')
  const shell = await openWriteProofShell({ roots: [root, join(root, 'sub'), other] })
  expect((await shell.exec(`cat ${root}/a.txt ${other}/b.txt; ls ${root}/sub; ls ..`)).stdout).toBe(
    'hello\nthere\nin\nother\n',
  )
  await expect(openWriteProofShell({ roots: [] })).rejects.toThrow(NoRoots)
})

test('as a tool it tells what was said, and how it ended', async () => {
  const { root } = await setUp()
  const tool = writeProofShellTool({ roots: [root] })
  const context = { call: '1', signal: new AbortController().signal, progress: () => {}, ask: undefined }
  expect([tool.name, tool.readOnly]).toEqual(['shell', true])
  expect((await tool.run({ command: 'cat a.txt; cat no; exit 3' }, context)).text).toBe(
    'hello\n\n[stderr]\ncat: no: No such file or directory\n\n[exit code 3]',
  )
})

test('what never comes to an end is ended, keeps nothing waiting, and the next command runs', async () => {
  const { run, root, shell } = await setUp()
  // Sorted by keys, which takes the simulation minutes without a pause.
  fs.writeFileSync(join(root, 'big.txt'), 'line of text here\n'.repeat(400_000))
  let beats = 0
  const beating = setInterval(() => beats++, 10)
  const slow = shell.exec('sort -k2 -k3 -r big.txt big.txt big.txt | tail -n 1', { timeoutMs: 300 })
  expect(await slow).toMatchObject({ exitCode: 124, cut: true })
  clearInterval(beating)
  expect(beats).toBeGreaterThan(5)
  expect((await run('cat a.txt')).stdout).toBe('hello\n')
})
