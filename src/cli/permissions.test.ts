import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { reverie } from './reverie.fixture.ts'

test('lists the mode and the rules with where they came from, and removes one', () => {
  const home = temporaryDirectory()
  const project = temporaryDirectory()
  const rule = 'bash(npm test:*) in /work/app since 2026-10-06'
  fs.writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ permissions: { mode: 'acceptEdits', allow: [rule] } }),
  )
  fs.mkdirSync(join(project, '.reverie'))
  fs.writeFileSync(
    join(project, '.reverie', 'config.json'),
    JSON.stringify({ permissions: { deny: ['bash(rm:*)'] } }),
  )
  const list = () => JSON.parse(reverie(['permissions', 'list', '--json'], { home, cwd: project }).stdout)
  expect(list()).toEqual({
    mode: 'acceptEdits',
    rules: [
      {
        kind: 'allow',
        rule: 'bash(npm test:*) in /work/app',
        source: 'owner',
        project: '/work/app',
        since: '2026-10-06',
      },
      { kind: 'deny', rule: 'bash(rm:*)', source: 'project', project: null, since: null },
    ],
  })
  const asText = reverie(['permissions', 'list'], { home, cwd: project }).stdout
  expect(asText).toContain('Mode: acceptEdits')
  expect(asText).toContain('bash(npm test:*)')
  const removed = reverie(['permissions', 'remove', 'bash(npm test:*) in /work/app'], { home, cwd: project })
  expect([removed.code, removed.stderr]).toEqual([0, ''])
  expect(list().rules.length).toBe(1)
  const again = reverie(['permissions', 'remove', 'bash(npm test:*) in /work/app'], { home, cwd: project })
  expect(again.code).not.toBe(0)
  expect(again.stderr).toContain('There is no rule')
})
