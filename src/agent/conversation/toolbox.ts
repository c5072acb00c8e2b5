import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { LentTools } from '../../servers/index.ts'
import type { Tool } from '../../tools/index.ts'
import { toolsWithin } from '../tool-budget.ts'
import { toolForm } from '../tool-form.ts'

export interface ToolboxOptions {
  /** Reverie's own, and those of the program that embeds it. */
  own: readonly Tool[]
  /** Asked once, right before the first request. */
  lend: ((own: readonly Tool[]) => Promise<LentTools>) | undefined
  model: { id: string; window: number }
  /** For the person. */
  notice(text: string): void
  /** Told what the model is told of, before the system prompt is made. */
  decided(told: readonly Tool[]): void
}

/** What can be done in a conversation. What its model is told of is decided before the first request, and stays. */
export class Toolbox {
  #options: ToolboxOptions
  #told: readonly Tool[]
  #forms: readonly LanguageModelV4FunctionTool[]
  #others: () => readonly Tool[] = () => []
  #decided: Promise<void> | undefined

  constructor(options: ToolboxOptions) {
    this.#options = options
    this.#told = options.own
    this.#forms = []
  }

  decide(): Promise<void> {
    this.#decided ??= this.#decide()
    return this.#decided
  }

  /** As the model is told of them: the same, in the same order, for the whole session. */
  get forms(): readonly LanguageModelV4FunctionTool[] {
    return this.#forms
  }

  /** What the model is told of. */
  get told(): readonly Tool[] {
    return this.#told
  }

  /** Everything that can be called, also what has to be searched for. */
  get all(): ReadonlyMap<string, Tool> {
    return new Map([...this.#others(), ...this.#told].map(tool => [tool.name, tool]))
  }

  async #decide(): Promise<void> {
    const { own, lend, model, notice, decided } = this.#options
    const lent = await lend?.(own)
    const taken = new Set(own.map(({ name }) => name))
    const added = lent?.told.filter(({ name }) => !taken.has(name)) ?? []
    const { kept, left } = toolsWithin([...own, ...added], model)
    this.#told = kept
    this.#forms = kept.map(toolForm)
    decided(kept)
    if (lent) this.#others = lent.others
    for (const each of lent?.notices ?? []) notice(each)
    if (left.length > 0)
      notice(
        `The window of ${model.id} is small (${model.window} tokens): it is not told of these tools: ${left.join(', ')}.`,
      )
  }
}
