import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { shellBench, until } from './bash.fixture.ts'
import { hiddenPlaces, Sandbox, sandboxArguments } from './sandbox.ts'

const PLAN = {
  root: '/home/ann/project',
  directory: '/home/ann/project/sub',
  outputs: '/out',
  hidden: [],
  guarded: { writable: [], fixed: [], readOnly: [] },
  network: false,
}
const SSH = { path: '/home/ann/.ssh', kind: 'directory' as const }
const NETRC = { path: '/home/ann/.netrc', kind: 'file' as const }
const REVERIE = { path: '/home/ann/.reverie', kind: 'directory' as const }

/** Whether `first` stands before `second`, so that the second lies over it. */
function inOrder(args: string[], first: string, second: string): boolean {
  const text = args.join(' ')
  return text.includes(first) && text.indexOf(first) < text.indexOf(second)
}

test('everything is read-only but the project and a private tmp; no network; nothing of others to be seen', () => {
  const text = sandboxArguments(PLAN).join(' ')
  expect(text.startsWith('--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp ')).toBe(true)
  for (const part of [
    '--bind /home/ann/project /home/ann/project',
    '--unshare-pid',
    '--unshare-net',
    '--die-with-parent',
    '--cap-drop ALL',
    '--tmpfs /run',
    '--chdir /home/ann/project/sub --',
  ])
    expect(text).toContain(part)
  expect(text.match(/--bind /g)).toHaveLength(1)
})

test.each([
  ['network', { network: true }, (args: string[]) => !args.includes('--unshare-net')],
  [
    'directories are covered',
    { hidden: [SSH] },
    (args: string[]) => args.join(' ').includes('--tmpfs /home/ann/.ssh'),
  ],
  [
    'files are covered',
    { hidden: [NETRC] },
    (args: string[]) => args.join(' ').includes('--ro-bind /dev/null /home/ann/.netrc'),
  ],
  [
    'also where the project is the home directory',
    { root: '/home/ann', directory: '/home/ann', hidden: [SSH] },
    (args: string[]) => inOrder(args, '--bind /home/ann /home/ann', '--tmpfs /home/ann/.ssh'),
  ],
  [
    'a project inside what is hidden is there',
    { root: '/home/ann/.reverie/x', directory: '/home/ann/.reverie/x', hidden: [REVERIE] },
    (args: string[]) =>
      inOrder(args, '--tmpfs /home/ann/.reverie', '--bind /home/ann/.reverie/x /home/ann/.reverie/x'),
  ],
  [
    'output inside what is hidden can be read, not written',
    { outputs: '/home/ann/.reverie/out', hidden: [REVERIE] },
    (args: string[]) =>
      inOrder(args, '--tmpfs /home/ann/.reverie', '--ro-bind /home/ann/.reverie/out /home/ann/.reverie/out'),
  ],
])('%s', (_, change, holds) => {
  expect(holds(sandboxArguments({ ...PLAN, ...change }))).toBe(true)
})

test('what is hidden are the places that are there, behind their links', () => {
  const home = realpathSync(temporaryDirectory())
  for (const name of ['.ssh', 'keys', '.config/gh', 'mine']) mkdirSync(join(home, name), { recursive: true })
  symlinkSync(join(home, 'keys'), join(home, '.gnupg'))
  writeFileSync(join(home, '.netrc'), '')
  expect(hiddenPlaces([join(home, 'mine'), join(home, 'none')], home)).toEqual([
    { path: join(home, '.ssh'), kind: 'directory' },
    { path: join(home, 'keys'), kind: 'directory' },
    { path: join(home, '.config/gh'), kind: 'directory' },
    { path: join(home, '.netrc'), kind: 'file' },
    { path: join(home, 'mine'), kind: 'directory' },
  ])
})

describe('without bubblewrap', () => {
  const environment = { PATH: '/nowhere' }

  test('require refuses, with what to do', async () => {
    const { bash, workspace } = shellBench({ sandbox: { mode: 'require' }, environment })
    await expect(bash('touch ran')).rejects.toThrow(
      /only run in the sandbox here, and bubblewrap \(bwrap\) is not installed\. Nothing was run\. Install bubblewrap/,
    )
    expect(workspace.directory).toBe(workspace.root)
  })

  test('auto runs without, and can tell why', async () => {
    const { bash } = shellBench({ sandbox: { mode: 'auto' }, environment })
    expect(await bash('echo ran')).toBe('ran')
    expect(new Sandbox({ mode: 'auto' }, '/nowhere', '/').problem).toContain('not installed')
    expect(new Sandbox({ mode: 'off' }, '/nowhere', '/').problem).toBeUndefined()
  })
})

const problem = new Sandbox({ mode: 'require' }, process.env.PATH, '/no-project').problem
if (problem !== undefined) console.warn(`SKIPPED, the sandbox is not tested for real: ${problem}.`)

describe.skipIf(problem !== undefined)('with bubblewrap', () => {
  const sandbox = { mode: 'require' as const }

  test('the project can be written, nothing else; cd, exit codes and order hold', async () => {
    const { bash, workspace, folder } = shellBench({ sandbox })
    folder('sub')
    expect(await bash('echo in > sub/file; cd sub; cat file; echo err > /dev/stderr; exit 9')).toBe(
      `in\nerr\n\n[Exit code 9.]\n[Working directory: ${join(workspace.root, 'sub')}]`,
    )
    expect(
      await bash('pwd; touch /usr/x 2>&1; touch "$HOME/x" 2>&1; echo ok > /tmp/y && cat /tmp/y'),
    ).toMatch(/Read-only file system[\s\S]*Read-only file system[\s\S]*ok$/)
    expect(await bash('ls /tmp/y 2>&1')).toContain('No such file')
    expect(await bash(`touch ${workspace.outputs}/x 2>&1`)).toMatch(/Read-only/)
  })

  test('what others run of a project can be read, not written, not moved away; commits still work', async () => {
    const { bash, workspace } = shellBench({ sandbox })
    execFileSync('git', ['init', '-q'], { cwd: workspace.root })
    mkdirSync(join(workspace.root, '.vscode'))
    const text = await bash(
      'ls .git/hooks | head -1; echo x > .git/hooks/pre-commit; git config a.b c; echo x > .vscode/tasks.json; mv .git moved; ' +
        'echo a > a; git -c user.name=a -c user.email=a@b add a && git -c user.name=a -c user.email=a@b commit -qm a && git log --oneline | wc -l',
    )
    expect(text).toMatch(/sample/)
    expect(text.match(/Read-only file system|could not lock|Device or resource busy/g)).toHaveLength(4)
    expect(text).toMatch(/^1$/m)
    expect(existsSync(join(workspace.root, '.git/hooks/pre-commit'))).toBe(false)
  })

  test('hooks cannot be made where there are none, nor be taken from elsewhere', async () => {
    const { bash, workspace, left } = shellBench({ sandbox })
    execFileSync('git', ['init', '-q', '--template='], { cwd: workspace.root })
    expect(await bash('mkdir -p .git/hooks && echo x > .git/hooks/pre-commit')).toContain('Read-only')
    await bash('mkdir -p evil/hooks; echo ../evil > .git/commondir')
    expect(existsSync(join(workspace.root, '.git/commondir'))).toBe(false)
    expect(left()).toEqual([])
  })

  test('in a worktree commits work, and its hooks and settings are guarded all the same', async () => {
    const { bash, workspace } = shellBench({ sandbox })
    const main = realpathSync(temporaryDirectory())
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: main })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'one')
    git('worktree', 'add', '-q', '-f', workspace.root)
    expect(
      await bash(
        'echo a > a; git add a && git -c user.name=a -c user.email=a@b commit -qm two; git log --oneline | wc -l; git config a.b c',
      ),
    ).toMatch(/^2\n.*(busy|Read-only|could not)/)
    expect(await bash(`echo x > ${main}/.git/hooks/pre-commit`)).toContain('Read-only')
    await bash(`echo x > ${main}/a`)
    expect(existsSync(join(main, 'a'))).toBe(false)
  })

  test('hidden places are empty, other processes unseen, the network gone unless allowed', async () => {
    const secrets = realpathSync(temporaryDirectory())
    writeFileSync(join(secrets, 'key'), 'secret')
    const hide = [secrets]
    const { bash } = shellBench({ sandbox: { ...sandbox, hide } })
    expect(await bash(`ls -A ${secrets} ${homedir()}/.ssh 2>/dev/null | grep key`)).toContain(
      '[Exit code 1.]',
    )
    expect(await bash(`ls /proc | grep -c '^[0-9]*$'`)).toMatch(/^[1-9]$/)
    expect(await bash('tail -n +3 /proc/net/dev | cut -d: -f1')).toMatch(/^ *lo$/)
    expect(await bash('grep CapEff /proc/self/status')).toMatch(/0{16}$/)
    const open = shellBench({ sandbox: { ...sandbox, network: true } })
    const outside = await shellBench().bash('readlink /proc/self/ns/net')
    expect(await open.bash('readlink /proc/self/ns/net')).toBe(outside)
    expect(await bash('readlink /proc/self/ns/net')).not.toBe(outside)
  })

  test('everything in it ends with it, daemons too', async () => {
    const { bash, left } = shellBench({ sandbox })
    const text = await bash(
      'env -i setsid setsid sleep 1000 & (trap "" TERM; while :; do sleep 0.1; done) & sleep 1000',
      { timeoutMs: 500 },
    )
    expect(text).toContain('not done after 0.5 s')
    expect(left()).toEqual([])
  })

  test('in the background', async () => {
    const { bash, background, ends, left } = shellBench({ sandbox })
    await bash('echo up; sleep 1000', { background: true })
    const [task] = background.list()
    await until(async () => (await background.read(task?.id ?? '')).text === 'up\n')
    await background.stop(task?.id ?? '')
    expect(ends).toHaveLength(1)
    expect(left()).toEqual([])
  })
})
