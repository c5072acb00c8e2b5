import type { Tool } from '../../tools/index.ts'
import { judge } from './judge.ts'
import { type Eyes, lookAt } from './look.ts'
import { realPath } from './real-path.ts'
import type { Policy, Request, Verdict } from './request.ts'
import { isWritable, type Rule, readRule } from './rule.ts'
import { loadShellParser, type ParseShell } from './shell/index.ts'

/** What a person is asked before a call may run. */
export interface PermissionQuestion {
  tool: string
  input: unknown
  /** Why it is asked about. */
  reason: string
  /** The rule that "always" would keep, and "session" for as long as this session lasts; without it, only this very command. */
  suggestion: string | undefined
  /** Whether "always" is among the answers. */
  canAlways: boolean
}

export interface PermissionAnswer {
  answer: 'once' | 'session' | 'always' | 'no'
  /** What the person said with a no, for the model. */
  reason?: string
}

export type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>

export type Checked = { allowed: true } | { allowed: false; reason: string }

export interface PermissionsOptions {
  policy: Policy
  /** Undefined where nobody is there to answer. */
  ask: AskPermission | undefined
  /** Keeps an "always" in the owner's config. */
  remember(rule: Rule): Promise<void>
  /** Today, for the rules that are kept. */
  today(): string
}

/** Decides over the calls of one conversation, and remembers what was answered in it. */
export class Permissions {
  #options: PermissionsOptions
  #policy: Policy
  #parse: Promise<ParseShell> | undefined
  /** One question at a time: the answer to one may settle the next. */
  #asking: Promise<unknown> = Promise.resolve()

  constructor(options: PermissionsOptions) {
    this.#options = options
    this.#policy = options.policy
  }

  get policy(): Policy {
    return this.#policy
  }

  set mode(mode: Policy['mode']) {
    this.#policy = { ...this.#policy, mode }
  }

  /** What would be decided, without asking anyone. */
  async judge(tool: Pick<Tool, 'name' | 'readOnly' | 'touches'>, input: unknown): Promise<Verdict> {
    return judge(await this.#request(tool, input), this.#policy)
  }

  async check(
    tool: Pick<Tool, 'name' | 'readOnly' | 'touches'>,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Checked> {
    const verdict = await this.judge(tool, input)
    if (verdict.decision !== 'ask') return settled(verdict)
    const turn = this.#asking.then(() => this.#ask(tool, input, signal))
    this.#asking = turn.catch(() => {})
    return turn
  }

  async #ask(
    tool: Pick<Tool, 'name' | 'readOnly' | 'touches'>,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Checked> {
    const { ask } = this.#options
    // The answer to an earlier question may be the answer to this one, and files may have changed since.
    const request = await this.#request(tool, input)
    const verdict = judge(request, this.#policy)
    if (verdict.decision !== 'ask') return settled(verdict)
    if (!ask)
      return {
        allowed: false,
        reason: `${verdict.reason} This needs a yes, and nobody is there to give it. Do it in another way, or say in your reply what is left to do.`,
      }
    const rule = this.#ruleFor(request, verdict)
    const canAlways = rule !== undefined && verdict.suggestion !== undefined && isWritable(rule)
    const { suggestion } = verdict
    const answered = await ask(
      { tool: tool.name, input, reason: verdict.reason, suggestion, canAlways },
      signal,
    )
    if (answered.answer === 'no')
      return {
        allowed: false,
        reason: answered.reason ? `The person said no: ${answered.reason}` : 'The person said no.',
      }
    if (rule && answered.answer !== 'once')
      this.#policy = { ...this.#policy, rules: [...this.#policy.rules, { ...rule, source: 'session' }] }
    if (rule && canAlways && answered.answer === 'always') await this.#options.remember(rule)
    return { allowed: true }
  }

  /** The suggestion, for this project, or the very command. */
  #ruleFor({ tool, touches }: Request, { suggestion }: Verdict): Rule | undefined {
    if (suggestion !== undefined)
      return {
        ...readRule(suggestion, 'allow', 'owner'),
        project: this.#policy.root,
        since: this.#options.today(),
      }
    const [touch] = touches
    if (touches.length !== 1 || touch?.kind !== 'command') return undefined
    return { kind: 'allow', source: 'session', tool, pattern: touch.command }
  }

  async #request(
    { name, readOnly, touches }: Pick<Tool, 'name' | 'readOnly' | 'touches'>,
    input: unknown,
  ): Promise<Request> {
    const touched = touches?.(input) ?? []
    const shell = touched.some(({ kind }) => kind === 'command')
    const { home, reverie, protected: others } = this.#policy
    const eyes: Eyes = { parse: shell ? await this.#parser() : neverParsed, home, reverie, protected: others }
    return { tool: name, input, readOnly, touches: touched.map(touch => lookAt(touch, eyes)) }
  }

  #parser(): Promise<ParseShell> {
    this.#parse ??= loadShellParser()
    return this.#parse
  }
}

function settled({ decision, reason }: Verdict): Checked {
  return decision === 'allow' ? { allowed: true } : { allowed: false, reason }
}

const neverParsed: ParseShell = () => {
  throw new Error('there is no command to parse')
}

/**
 * Where a path leads now. A file tool that was allowed a path opens what this gives, with `O_NOFOLLOW` where it can,
 * and refuses when it is not what it was when it was allowed.
 */
export function resolveTouch(path: string): string {
  return realPath('/', path)
}
