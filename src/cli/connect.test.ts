import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { BIN, reverie } from './reverie.fixture.ts'

test('a change is shown and written only with a yes, found by the list and by the doctor, and undone', () => {
  const root = temporaryDirectory()
  const [home, me] = [join(root, 'home'), join(root, 'me')]
  const settings = join(me, '.claude', 'settings.json')
  mkdirSync(join(me, '.claude'), { recursive: true })
  mkdirSync(home)
  // What is no file is not read, whoever looks.
  mkdirSync(join(me, '.config', 'opencode'), { recursive: true })
  spawnSync('mkfifo', [join(me, '.config', 'opencode', 'opencode.json')])
  const before = '{\n  // mine\n  "model": "opus"\n}\n'
  writeFileSync(settings, before)
  const run = (...args: string[]) => reverie(args, { home, cwd: root, env: { HOME: me } })

  const shown = run('connect', 'claude-code')
  expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes writes it') })
  expect(shown.stdout).toContain(`+            "command": "${BIN} hook claude-code start --home ${home}"`)
  expect(readFileSync(settings, 'utf8')).toBe(before)

  expect(JSON.parse(run('connect', 'claude-code', '--yes', '--json').stdout)).toEqual({
    agent: 'claude-code',
    written: true,
    files: [{ path: settings, action: 'change' }],
    notes: [],
  })
  const listed = JSON.parse(run('connect', '--json').stdout) as Array<{ agent: string; state: string }>
  expect(listed.map(({ agent, state }) => [agent, state]).slice(0, 2)).toEqual([
    ['claude-code', 'connected'],
    ['codex', 'absent'],
  ])
  expect(listed.find(({ agent }) => agent === 'opencode')).toMatchObject({ state: 'unreadable' })
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(BIN, '/gone/reverie'))
  const checks = JSON.parse(run('doctor', '--json').stdout).checks as Array<{ name: string }>
  expect(checks.find(({ name }) => name === 'agents')).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('/gone/reverie'),
    fix: 'reverie connect claude-code',
  })
  expect(run('disconnect', 'claude-code', '--yes').code).toBe(0)
  expect(readFileSync(settings, 'utf8')).toBe(before)
  expect(existsSync(join(home, 'connections', 'claude-code.json'))).toBe(false)
})
