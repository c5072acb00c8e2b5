import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellBench, until } from './bash.fixture.ts'
import { movesAfter } from './bash.ts'
import { SHELL_LIMITS } from './limits.ts'
import { runningProcesses } from './process-table.ts'

describe('output', () => {
  test('stdout and stderr come in the order in which they were printed', async () => {
    const { bash } = shellBench()
    const line = (at: number) => `out ${at}\nerr ${at}`
    const text = await bash('for i in $(seq 0 299); do echo out $i; echo err $i >&2; done')
    expect(text).toBe(Array.from({ length: 300 }, (_, at) => line(at)).join('\n'))
  })

  test('scripts that write to /dev/stderr and /dev/stdout work', async () => {
    const { bash } = shellBench()
    expect(await bash('echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr')).toBe(
      'a\nb\nc\nc',
    )
  })

  test('silence, exit codes and signals are told', async () => {
    const { bash } = shellBench()
    expect(await bash('true')).toBe('[It printed nothing.]')
    expect(await bash('echo no; exit 3')).toBe('no\n\n[Exit code 3.]')
    expect(await bash('false')).toBe('[It printed nothing.]\n[Exit code 1.]')
    expect(await bash('kill -9 $$')).toBe('[It printed nothing.]\n[Ended by a signal: SIGKILL.]')
    expect(await bash('if then')).toMatch(/syntax error[\s\S]*\[Exit code [12]\.\]$/)
    expect(await bash('no-such-program')).toMatch(/not found\n\n\[Exit code 127\.\]$/)
  })

  test('quotes, here-documents and trailing backslashes of a command reach nothing else', async () => {
    const { bash } = shellBench()
    expect(await bash(`echo "it's" '"fine"' $# "$*"`)).toBe(`it's "fine" 0`)
    // A backslash at the very end of a script stands for itself.
    expect(await bash('cat <<EOF\n1\nEOF\necho 2 \\')).toBe('1\n2 \\')
    expect(await bash('cat <<EOF\nopen')).toContain('open')
    expect(await bash('# only a comment')).toBe('[It printed nothing.]')
    expect(await bash('echo a # b')).toBe('a')
  })

  test('a character that arrives in two pieces is one', async () => {
    const { bash } = shellBench()
    const text = await bash(
      String.raw`printf '\xf0\x9f'; sleep 0.2; printf '\x98\x80 \xe4'; sleep 0.2; printf '\xbd\xa0\n'`,
    )
    expect(text).toBe('😀 你')
  })

  test('NUL bytes, colours and lines drawn over themselves are made readable; the file has the bytes', async () => {
    const { bash, workspace } = shellBench()
    expect(await bash(String.raw`printf 'a\0b\n\033[31mred\033[0m\n10%%\r50%%\r100%%\ndone\r\n'`)).toBe(
      'a␀b\nred\n100%\ndone',
    )
    await bash(String.raw`printf 'a\0b'; head -c 200000 /dev/zero`)
    const [file = ''] = readdirSync(workspace.outputs)
    expect(statSync(join(workspace.outputs, file)).size).toBe(200_003)
  })

  test('long output is cut in the middle, and all of it is in a private file', async () => {
    const { bash, workspace } = shellBench()
    const text = await bash('seq 1 100000; exit 7')
    expect(text.length).toBeLessThanOrEqual(30_000)
    expect(text.length).toBeGreaterThan(29_000)
    expect(text.startsWith('1\n2\n3\n')).toBe(true)
    expect(text.endsWith('\n99999\n100000\n\n[Exit code 7.]')).toBe(true)
    const [, file = ''] = /the middle is left out: \d+ bytes in all, in (\S+) …/.exec(text) ?? []
    expect(file.startsWith(workspace.outputs)).toBe(true)
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(100_001)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('of what was shown in full no file is left', async () => {
    const { bash, workspace } = shellBench()
    await bash('echo short')
    expect(readdirSync(workspace.outputs)).toEqual([])
  })

  test('one that prints without end is ended, and the file has its limit', async () => {
    const { bash, workspace, left } = shellBench({ limits: { fileBytes: 3 * 1024 * 1024 } })
    const text = await bash('yes')
    expect(text).toContain('[Ended by Reverie: it printed more than 3 MB.')
    const [file = ''] = readdirSync(workspace.outputs)
    expect(statSync(join(workspace.outputs, file)).size).toBe(3 * 1024 * 1024)
    expect(left()).toEqual([])
  })

  test('a command that closes its output and goes on is waited for', async () => {
    const { bash, workspace } = shellBench()
    expect(await bash('echo first; exec >&- 2>&-; sleep 0.5; touch done; exit 4')).toBe(
      'first\n\n[Exit code 4.]',
    )
    expect(existsSync(join(workspace.root, 'done'))).toBe(true)
  })

  test('what a process substitution prints after the shell has ended is still there', async () => {
    const { bash } = shellBench({ limits: { lingerMs: 30_000 } })
    expect(await bash('echo hi > >(sleep 0.3; sed s/hi/late/)')).toBe('late')
  })

  test('progress shows the last lines, and not more often than asked', async () => {
    const { run } = shellBench({ limits: { progressEveryMs: 60_000 } })
    const { progress } = await run('bash', { command: 'for i in $(seq 1 50); do echo $i; sleep 0.01; done' })
    expect(progress).toHaveLength(1)
  })
})

describe('surroundings', () => {
  test('no terminal, nothing to read, a session of its own, no keys', async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: 'k', REVERIE_HOME: '/x', KEEP_ME: 'y' }
    const { bash } = shellBench({ environment })
    expect(
      await bash('cat; test -t 0 || test -t 1 || echo none; (: < /dev/tty) 2>/dev/null || echo no tty'),
    ).toBe('none\nno tty')
    expect(
      await bash('echo "$ANTHROPIC_API_KEY,$REVERIE_HOME,$KEEP_ME,$GIT_TERMINAL_PROMPT,$PAGER,$GIT_PAGER"'),
    ).toBe(',,y,0,cat,cat')
    expect(await bash('test "$(ps -o sid= -p $$ | tr -d " ")" = $$ && echo leads')).toBe('leads')
  })
})

describe('the working directory', () => {
  test('is kept from one command to the next, however the command ends', async () => {
    const { bash, workspace, folder } = shellBench()
    const deep = folder('a/b')
    expect(await bash('cd a')).toBe(
      `[It printed nothing.]\n[Working directory: ${join(workspace.root, 'a')}]`,
    )
    expect(await bash('pwd')).toBe(join(workspace.root, 'a'))
    await bash('cd b; exit 1')
    expect(workspace.directory).toBe(deep)
    await bash('cd ..; set -e; false; echo never')
    expect(workspace.directory).toBe(join(workspace.root, 'a'))
    await bash("trap 'echo mine' EXIT; cd b")
    expect(workspace.directory).toBe(deep)
    await bash('(cd /); true & wait; exec 3>/dev/null 4>&1')
    expect(workspace.directory).toBe(deep)
    await bash('exec true')
    expect(workspace.directory).toBe(deep)
  })

  test('never leaves the project: not by cd, not by a link, not by its removal', async () => {
    const { bash, workspace, folder } = shellBench()
    folder('a')
    await bash('cd a')
    expect(await bash('cd /usr; echo x')).toContain('/usr is outside the project')
    expect(workspace.directory).toBe(workspace.root)
    symlinkSync('/usr', join(workspace.root, 'link'))
    expect(await bash('cd link')).toContain('outside the project')
    await bash('cd a')
    rmSync(join(workspace.root, 'a'), { recursive: true })
    expect(await bash('pwd')).toBe(
      `${workspace.root}\n\n[${join(workspace.root, 'a')} is no longer there: the working directory is ${workspace.root} again]`,
    )
  })

  test('may have any name', async () => {
    const { bash, workspace } = shellBench()
    const name = `it's "odd"\n$HOME 你\n`
    await bash(`mkdir "$(printf '%sx' ${JSON.stringify('a\\nb')})" && cd a*x`)
    expect(workspace.directory).toBe(join(workspace.root, 'a\\nbx'))
    await bash(`cd ..; mkdir '${name.replaceAll("'", `'\\''`)}'; cd it*`)
    expect(workspace.directory).toBe(join(workspace.root, name))
    expect(await bash('pwd -P; ls')).toContain('odd')
  })

  test('a command touches the directory that it will run in', async () => {
    const { tools, bash, folder } = shellBench()
    const sub = folder('sub')
    await bash('cd sub')
    expect(tools[0]?.touches?.({ command: 'ls' })).toEqual([
      { kind: 'command', command: 'ls', directory: sub },
    ])
  })
})

describe('ending', () => {
  const STUBBORN = `trap : TERM; while :; do sleep 0.1; done`

  test('after its time the whole group is ended', async () => {
    const { bash, left } = shellBench()
    const text = await bash('sleep 1000 & sleep 1000', { timeoutMs: 300 })
    expect(text).toMatch(/^\[Ended by Reverie: it was not done after 0.3 s/)
    expect(text).not.toContain('killed')
    expect(left()).toEqual([])
  })

  test('a child that ignores SIGTERM is killed, and so is one that forked twice into its own session', async () => {
    const { bash, left, workspace } = shellBench()
    const daemon = `setsid bash -c '(echo $$ $BASHPID > daemon; exec setsid bash -c "${STUBBORN}") & exit'`
    const interrupt = new AbortController()
    const running = bash(`${daemon}; (echo > child; ${STUBBORN}) & sleep 1000`, {}, interrupt.signal)
    await until(() => ['daemon', 'child'].every(name => sizeOf(join(workspace.root, name)) > 0))
    const [parent, pid] = readFileSync(join(workspace.root, 'daemon'), 'utf8').trim().split(' ').map(Number)
    // Nothing but its mark ties it to the command any more.
    await until(() => {
      const rows = runningProcesses()
      return rows.some(row => row.pid === pid && row.session === pid) && !rows.some(row => row.pid === parent)
    })
    interrupt.abort()
    expect(await running).toContain('did not react to SIGTERM and was killed')
    expect(left()).toEqual([])
  })

  test('a descendant without the mark, with a session of its own, is found by its parents', async () => {
    const { bash, workspace } = shellBench()
    const interrupt = new AbortController()
    const command = `env -i setsid -w sh -c 'echo $$ > pid; ${STUBBORN.replaceAll("'", '"')}'`
    const running = bash(command, {}, interrupt.signal)
    await until(() => sizeOf(join(workspace.root, 'pid')) > 0)
    interrupt.abort()
    await running
    const pid = Number(readFileSync(join(workspace.root, 'pid'), 'utf8'))
    expect(runningProcesses().map(row => row.pid)).not.toContain(pid)
  })

  test('an interrupt ends it', async () => {
    const { bash, left } = shellBench()
    const interrupt = new AbortController()
    const running = bash('sleep 1000', {}, interrupt.signal)
    await until(() => left().some(line => line.startsWith('sleep')))
    interrupt.abort()
    expect(await running).toContain('the person interrupted it')
    expect(left()).toEqual([])
    expect(await bash('sleep 1000', {}, interrupt.signal)).toContain('the person interrupted it')
  })

  test('what a command leaves in its group is ended, and said', async () => {
    const { bash, left } = shellBench({ limits: { lingerMs: 100 } })
    const text = await bash('sleep 1000 & sleep 1001 >/dev/null 2>&1 & echo started')
    expect(text).toMatch(/^started\n\n\[2 processes that it left running were ended\. .*background: true/)
    expect(left()).toEqual([])
  })

  test('a daemon with a session of its own is left alone when its command ends by itself', async () => {
    const { bash, left } = shellBench({ limits: { lingerMs: 100 } })
    expect(
      await bash(
        'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.05; done; echo ok',
      ),
    ).toBe('ok')
    await until(() => left().join() === 'sleep 1000 ')
    await bash('kill $(cat pid)')
    await until(() => left().length === 0)
  })

  test('a question is noticed, and the command ended', async () => {
    const { bash, left } = shellBench({ limits: { quietMs: 200 } })
    const text = await bash('printf "[sudo] password for ann: "; sleep 1000')
    expect(text).toMatch(/waits for an answer \("\[sudo\] password for ann:"\).*sudo -n/)
    expect(await bash('printf "working\\n"; sleep 0.6; echo done')).toBe('working\ndone')
    expect(left()).toEqual([])
  })
})

test.each([
  [{}, 15_000],
  [{ background: true }, 15_000],
  [{ background: false }, undefined],
  [{ timeoutMs: 15_000 }, undefined],
  [{ timeoutMs: 15_001 }, 15_000],
  [{ timeoutMs: 600_000, background: false }, undefined],
])('%j is moved after %s', (input, after) => {
  expect(movesAfter(input, SHELL_LIMITS)).toBe(after)
})

test('a command that is too long says what to do, and leaves nothing', async () => {
  const { bash, workspace } = shellBench()
  await expect(bash(`echo ${'x'.repeat(200_000)}`)).rejects.toThrow(
    'The command could not be started: it is too long. Write it into a file, and run that.',
  )
  expect(readdirSync(workspace.outputs)).toEqual([])
})

test('input is bounded', () => {
  const { tools } = shellBench()
  const accepts = (input: object) => tools[0]?.input.safeParse(input).success
  expect(accepts({ command: 'ls', timeoutMs: 600_000 })).toBe(true)
  expect(accepts({ command: 'ls', timeoutMs: 600_001 })).toBe(false)
  expect(accepts({ command: '' })).toBe(false)
  expect(accepts({ command: 'a\0b' })).toBe(false)
})

/** 0 for a file that is not there yet. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
