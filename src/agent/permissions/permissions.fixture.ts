import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Touch } from '../../tools/index.ts'
import { judge } from './judge.ts'
import { lookAt } from './look.ts'
import type { LookedAt, Policy, Verdict } from './request.ts'
import { type Rule, type RuleKind, type RuleSource, readRule } from './rule.ts'
import { loadShellParser } from './shell/index.ts'

/** A policy for a project that need not be there. */
export function policyWith(change: Partial<Policy> = {}): Policy {
  return {
    mode: 'ask',
    rules: [],
    root: '/work/app',
    home: '/home/me',
    reverie: '/home/me/.reverie',
    protected: [],
    roots: [],
    ...change,
  }
}

/** `owner deny bash(rm:*)` */
export function rules(...texts: string[]): Rule[] {
  return texts.map(text => {
    const [source, kind, ...rest] = text.split(' ')
    return readRule(rest.join(' '), kind as RuleKind, source as RuleSource)
  })
}

const parse = await loadShellParser()

function looked(touch: Touch, policy: Policy): LookedAt {
  return lookAt(touch, { ...policy, parse })
}

export function judgeBash(command: string, policy: Policy, directory = policy.root): Verdict {
  const touches = [looked({ kind: 'command', command, directory }, policy)]
  return judge({ tool: 'bash', input: { command }, readOnly: false, touches }, policy)
}

export function judgeFileTool(tool: string, path: string, policy: Policy): Verdict {
  const kind = ['read_file', 'grep', 'glob'].includes(tool) ? 'read' : 'write'
  const at = path.startsWith('/') ? path : join(policy.root, path)
  return judge(
    { tool, input: { path }, readOnly: kind === 'read', touches: [looked({ kind, path: at }, policy)] },
    policy,
  )
}

export function judgeWeb(url: string, policy: Policy): Verdict {
  return judge({ tool: 'web_fetch', input: { url }, readOnly: true, touches: [{ kind: 'web', url }] }, policy)
}

export function judgeTool(tool: string, readOnly: boolean, policy: Policy): Verdict {
  return judge({ tool, input: {}, readOnly, touches: [] }, policy)
}

/** Files of a project, by their names; links as `link -> target`. */
export function makeFiles(root: string, files: readonly string[]): void {
  for (const file of files) {
    const [name = '', target] = file.split(' -> ')
    const path = join(root, name)
    fs.mkdirSync(join(path, '..'), { recursive: true })
    if (target) fs.symlinkSync(target, path)
    else fs.writeFileSync(path, `${name}\n`)
  }
}
