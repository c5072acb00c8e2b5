import { isDeepStrictEqual } from 'node:util'
import type { Tool } from '../../tools/index.ts'
import { judge } from './judge.ts'
import { maySearch } from './judge-place.ts'
import { lookAt } from './look.ts'
import type { Eyes } from './looking.ts'
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

/** What was allowed is what was looked at: whether it still is that, `isUnchanged` tells. */
export type Checked = { allowed: true; request: Request } | { allowed: false; reason: string }

/** Programs answer as well, and not all of them are checked: what is none of these is no yes. */
const YES: ReadonlySet<unknown> = new Set(['once', 'session', 'always'] satisfies Array<
  PermissionAnswer['answer']
>)

type Judged = Pick<Tool, 'name' | 'readOnly' | 'touches'>

export interface PermissionsOptions {
  policy: Policy
  /** Who answers; undefined where nobody is there to. */
  ask(): AskPermission | undefined
  /** Keeps an "always" in the owner's config. */
  remember(rule: Rule): Promise<void>
  /** Today, for the rules that are kept. */
  today(): string
}

/** Decides over the calls of one conversation, and remembers what was answered in it. */
export class Permissions {
  #options: PermissionsOptions
  /** Shared with those that decide alone. */
  #held: { policy: Policy }
  #parse: Promise<ParseShell> | undefined
  /** One question at a time: the answer to one may settle the next. */
  #asking: Promise<unknown> = Promise.resolve()

  constructor(options: PermissionsOptions) {
    this.#options = options
    this.#held = { policy: options.policy }
  }

  /** The same, for work that nobody watches: what would be asked about is denied. What changes here changes there. */
  alone(): Permissions {
    const alone = new Permissions({ ...this.#options, ask: () => undefined })
    alone.#held = this.#held
    return alone
  }

  get policy(): Policy {
    return this.#held.policy
  }

  set mode(mode: Policy['mode']) {
    this.#held.policy = { ...this.policy, mode }
  }

  /** What would be decided, without asking anyone. */
  async judge(tool: Judged, input: unknown): Promise<Verdict> {
    return judge(await this.#request(tool, input), this.policy)
  }

  async check(tool: Judged, input: unknown, signal: AbortSignal): Promise<Checked> {
    const request = await this.#request(tool, input)
    const verdict = judge(request, this.policy)
    if (verdict.decision !== 'ask') return settled(verdict, request)
    const turn = this.#asking.then(() => this.#ask(tool, input, signal))
    this.#asking = turn.catch(() => {})
    return turn
  }

  async #ask(tool: Judged, input: unknown, signal: AbortSignal): Promise<Checked> {
    const ask = this.#options.ask()
    // The answer to an earlier question may be the answer to this one, and files may have changed since.
    const request = await this.#request(tool, input)
    const verdict = judge(request, this.policy)
    if (verdict.decision !== 'ask') return settled(verdict, request)
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
    if (!YES.has(answered?.answer))
      return {
        allowed: false,
        reason: answered?.reason ? `The person said no: ${answered.reason}` : 'The person said no.',
      }
    if (rule && answered.answer !== 'once')
      this.#held.policy = { ...this.policy, rules: [...this.policy.rules, { ...rule, source: 'session' }] }
    if (rule && canAlways && answered.answer === 'always') await this.#options.remember(rule)
    return { allowed: true, request }
  }

  /** Whether a search that was allowed a directory may read a file in it: links are not followed by it. */
  maySearch(path: string): boolean {
    return maySearch(path, path, { ...this.policy, rules: this.#rulesHere })
  }

  get #rulesHere(): readonly Rule[] {
    const { root, rules } = this.policy
    return rules.filter(({ project }) => project === undefined || project === root)
  }

  /**
   * Whether a call would still touch what was looked at when it was allowed. To be asked right before it runs: a
   * person takes time to answer, and meanwhile a link may have been put where a file was.
   */
  async isUnchanged(tool: Judged, { input, touches }: Request): Promise<boolean> {
    return isDeepStrictEqual((await this.#request(tool, input)).touches, touches)
  }

  /** The suggestion, for this project, or the very command. */
  #ruleFor({ tool, touches }: Request, { suggestion }: Verdict): Rule | undefined {
    if (suggestion !== undefined)
      return {
        ...readRule(suggestion, 'allow', 'owner'),
        project: this.policy.root,
        since: this.#options.today(),
      }
    const [touch] = touches
    if (touches.length !== 1 || touch?.kind !== 'command') return undefined
    return { kind: 'allow', source: 'session', tool, pattern: touch.command }
  }

  async #request({ name, readOnly, touches }: Judged, input: unknown): Promise<Request> {
    const touched = touches?.(input) ?? []
    const shell = touched.some(({ kind }) => kind === 'command')
    const { home, root, reverie, searchPath, protected: others, hooks, programs } = this.policy
    const parse = shell ? await this.#parser() : neverParsed
    const eyes: Eyes = { parse, home, root, reverie, searchPath, protected: others, hooks, programs }
    return { tool: name, input, readOnly, touches: touched.map(touch => lookAt(touch, eyes)) }
  }

  #parser(): Promise<ParseShell> {
    this.#parse ??= loadShellParser()
    return this.#parse
  }
}

function settled({ decision, reason }: Verdict, request: Request): Checked {
  return decision === 'allow' ? { allowed: true, request } : { allowed: false, reason }
}

const neverParsed: ParseShell = () => {
  throw new Error('there is no command to parse')
}
