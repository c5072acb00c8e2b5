import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import type { Touch } from '../../tools/index.ts'
import { policyWith, rules } from './permissions.fixture.ts'
import {
  type AskPermission,
  type PermissionAnswer,
  type PermissionQuestion,
  Permissions,
} from './permissions.ts'
import type { Rule } from './rule.ts'

const bash = {
  name: 'bash',
  readOnly: false,
  touches: (input: unknown): Touch[] => [{ kind: 'command', command: String(input), directory: '/work/app' }],
}
const write = {
  name: 'write_file',
  readOnly: false,
  touches: (input: unknown): Touch[] => [{ kind: 'write', path: String(input) }],
}
const never = new AbortController().signal

function setUp(answers: PermissionAnswer[] | undefined, policy = policyWith()) {
  const asked: PermissionQuestion[] = []
  const kept: Rule[] = []
  const ask: AskPermission = async question => {
    asked.push(question)
    return answers?.shift() ?? { answer: 'no' }
  }
  const permissions = new Permissions({
    policy,
    ask: () => answers && ask,
    remember: async rule => {
      kept.push(rule)
    },
    today: () => '2026-10-06',
  })
  const check = (command: string) => permissions.check(bash, command, never)
  return { permissions, asked, kept, check }
}

test('what only reads is not asked about', async () => {
  const { check, asked } = setUp([])
  expect(await check('ls')).toMatchObject({ allowed: true })
  expect(asked).toEqual([])
})

test('with nobody there the model is told what to do instead', async () => {
  const { check } = setUp(undefined)
  expect(await check('make')).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('nobody is there'),
  })
})

test('once is once', async () => {
  const { check, asked, kept } = setUp([{ answer: 'once' }])
  expect(await check('make')).toMatchObject({ allowed: true })
  expect(await check('make')).toEqual({ allowed: false, reason: 'The person said no.' })
  expect([asked.length, kept.length]).toEqual([2, 0])
})

test('a no may have a reason', async () => {
  const { check } = setUp([{ answer: 'no', reason: 'use npm' }])
  expect(await check('make')).toEqual({ allowed: false, reason: 'The person said no: use npm' })
})

test('for the session, the suggestion holds; it is not kept', async () => {
  const { check, asked, kept } = setUp([{ answer: 'session' }])
  expect(await check('npm run build')).toMatchObject({ allowed: true })
  expect(await check('npm run build -- --watch')).toMatchObject({ allowed: true })
  expect(asked).toMatchObject([{ tool: 'bash', suggestion: 'bash(npm run build:*)', canAlways: true }])
  expect(kept).toEqual([])
})

test('without a suggestion the session remembers that very command, and "always" is not offered', async () => {
  const { check, asked, kept } = setUp([{ answer: 'always' }])
  expect(await check('make && curl x')).toMatchObject({ allowed: true })
  expect(await check('make && curl x')).toMatchObject({ allowed: true })
  expect(await check('make && curl y')).toMatchObject({ allowed: false })
  expect(asked[0]).toMatchObject({ suggestion: undefined, canAlways: false })
  expect(kept).toEqual([])
})

test('always is kept, with where and when', async () => {
  const { check, kept } = setUp([{ answer: 'always' }])
  await check('npm run build')
  expect(await check('npm run build x')).toMatchObject({ allowed: true })
  expect(kept).toEqual([
    {
      kind: 'allow',
      source: 'owner',
      tool: 'bash',
      pattern: 'npm run build:*',
      project: '/work/app',
      since: '2026-10-06',
    },
  ])
})

test('of several calls at once one question is asked at a time, and its answer may settle the others', async () => {
  const { check, asked } = setUp([{ answer: 'session' }])
  const all = await Promise.all([check('npm test a'), check('npm test b'), check('npm test c')])
  expect(all).toMatchObject([{ allowed: true }, { allowed: true }, { allowed: true }])
  expect(asked.length).toBe(1)
})

test('a question that fails does not stop the next', async () => {
  let calls = 0
  const permissions = new Permissions({
    policy: policyWith(),
    ask: () => async () => {
      if (++calls === 1) throw new Error('gone')
      return { answer: 'once' }
    },
    remember: async () => {},
    today: () => '',
  })
  await expect(permissions.check(bash, 'make', never)).rejects.toThrow('gone')
  expect(await permissions.check(bash, 'make', never)).toMatchObject({ allowed: true })
})

test('the mode can be changed, and nobody is asked in the mode deny', async () => {
  const { permissions, check, asked } = setUp([{ answer: 'once' }])
  permissions.mode = 'deny'
  expect(await check('ls')).toEqual({ allowed: false, reason: 'No rule allows `ls`.' })
  permissions.mode = 'plan'
  expect(await check('touch x')).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('planning'),
  })
  expect(asked).toEqual([])
})

test('what was allowed is known to have changed when a link has taken its place, also while it was asked about', async () => {
  const root = fs.realpathSync(temporaryDirectory())
  for (const name of ['app', 'out']) fs.mkdirSync(join(root, name))
  const path = join(root, 'app', 'new.txt')
  const { permissions } = setUp([], policyWith({ root: join(root, 'app'), mode: 'acceptEdits' }))
  const checked = await permissions.check(write, path, never)
  if (!checked.allowed) throw new Error(checked.reason)
  expect(await permissions.isUnchanged(write, checked.request)).toBe(true)
  fs.symlinkSync('../out/new.txt', path)
  expect(await permissions.isUnchanged(write, checked.request)).toBe(false)
  expect(await permissions.check(write, path, never)).toMatchObject({ allowed: false })
  fs.rmSync(path)
  const asking = new Permissions({
    policy: policyWith({ root: join(root, 'app') }),
    ask: () => async () => {
      fs.symlinkSync('../out/new.txt', path)
      return { answer: 'once' }
    },
    remember: async () => {},
    today: () => '',
  })
  const asked = await asking.check(write, path, never)
  expect(asked.allowed && (await asking.isUnchanged(write, asked.request))).toBe(false)
})

test('who decides alone hears of every change of mode and of every answer', async () => {
  const { permissions, check } = setUp([{ answer: 'session' }])
  const alone = permissions.alone()
  expect(await alone.check(bash, 'npm run build', never)).toMatchObject({ allowed: false })
  await check('npm run build')
  expect(await alone.check(bash, 'npm run build', never)).toMatchObject({ allowed: true })
  permissions.mode = 'plan'
  expect(await alone.check(bash, 'npm run build', never)).toMatchObject({ allowed: false })
})

test('a search passes over what a rule keeps from being read', () => {
  const search = (rule: string, path: string) =>
    setUp([], policyWith({ rules: rules(rule) })).permissions.maySearch(path)
  expect(search('owner deny read_file(src/**)', '/work/app/src/a.ts')).toBe(false)
  expect(search('project ask grep(*.key)', '/work/app/x.key')).toBe(false)
  expect(search('owner deny read_file(src/**)', '/work/app/docs/a.md')).toBe(true)
  expect(search('owner deny edit_file(src/**)', '/work/app/src/a.ts')).toBe(true)
  expect(search('owner deny read_file(src/**) in /work/other', '/work/app/src/a.ts')).toBe(true)
})
