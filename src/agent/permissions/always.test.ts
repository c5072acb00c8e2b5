import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { configuredRules, forgetRule, NoSuchRule, rememberRule } from './always.ts'
import { type Rule, readRule, ruleText } from './rule.ts'

function setUp() {
  const directory = temporaryDirectory()
  const home = homeAt(join(directory, 'home'))
  const project = { root: join(directory, 'app'), slug: 'app' }
  const inProject = (content: unknown) => {
    fs.mkdirSync(join(project.root, '.reverie'), { recursive: true })
    fs.writeFileSync(join(project.root, '.reverie', 'config.json'), JSON.stringify(content))
  }
  const kept = () => JSON.parse(fs.readFileSync(home.config, 'utf8'))
  const told = () =>
    configuredRules(home, project).map(rule => `${rule.source} ${rule.kind} ${ruleText(rule)}`)
  return { home, project, inProject, kept, told }
}

const rule = (text: string): Rule => readRule(text, 'allow', 'owner')

test('an answer is kept in the config, once, and can be taken back', async () => {
  const { home, kept, told } = setUp()
  await rememberRule(home, rule('bash(npm test:*) in /work/app since 2026-10-06'))
  await rememberRule(home, rule('bash(npm test:*) in /work/app since 2026-10-07'))
  await rememberRule(home, rule('bash(npm test:*) in /work/other since 2026-10-07'))
  expect(kept().permissions.allow).toEqual([
    'bash(npm test:*) in /work/app since 2026-10-06',
    'bash(npm test:*) in /work/other since 2026-10-07',
  ])
  expect(await forgetRule(home, 'bash(npm test:*) in /work/app')).toBe(1)
  expect(told()).toEqual(['owner allow bash(npm test:*) in /work/other since 2026-10-07'])
  expect(await forgetRule(home, 'bash(npm test:*) in /work/other since 2026-10-07')).toBe(1)
  expect(kept()).toEqual({})
  await expect(forgetRule(home, 'bash')).rejects.toThrow(NoSuchRule)
})

test('answers that are given at the same time are all kept', async () => {
  const { home, kept } = setUp()
  await Promise.all(Array.from({ length: 8 }, (_, at) => rememberRule(home, rule(`bash(make ${at})`))))
  expect(kept().permissions.allow.length).toBe(8)
})

test('a project may ask and deny; that it allows something is not read', () => {
  const { inProject, told } = setUp()
  inProject({ permissions: { allow: ['bash'], ask: ['bash(make:*)'], deny: ['read_file(secret/**)'] } })
  expect(told()).toEqual(['project ask bash(make:*)', 'project deny read_file(secret/**)'])
})

test('the rules of both are there, whoever has some', () => {
  const { home, inProject, told } = setUp()
  fs.mkdirSync(home.path, { recursive: true })
  fs.writeFileSync(home.config, JSON.stringify({ permissions: { deny: ['bash(a)'], allow: ['bash(b)'] } }))
  inProject({ permissions: { deny: ['bash(c)'] } })
  expect(told()).toEqual(['owner allow bash(b)', 'owner deny bash(a)', 'project deny bash(c)'])
})
