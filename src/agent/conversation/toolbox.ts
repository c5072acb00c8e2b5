import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { LentTools } from '../../servers/index.ts'
import { ReverieError } from '../../store/index.ts'
import type { Tool } from '../../tools/index.ts'
import { toolsWithin } from '../tool-budget.ts'
import { toolForm } from '../tool-form.ts'

export interface ToolboxOptions {
  /** Reverie's own, and those of the program that embeds it. */
  own: readonly Tool[]
  /** Asked once, right before the first request. */
  lend: ((own: readonly Tool[]) => Promise<LentTools>) | undefined
  /** Who is told of them. */
  model(): { id: string; window: number }
  /** For the person. */
  notice(text: string): void
  /** Told what the model is told of, before the system prompt is made. */
  decided(told: readonly Tool[]): void
}

/** No provider takes two of them. */
class SameName extends ReverieError {}

/**
 * What can be done in a conversation. What its model is told of is decided before the first request, and stays, unless
 * another model takes over whose window has room for more or less.
 */
export class Toolbox {
  #options: ToolboxOptions
  #told: readonly Tool[]
  #forms: readonly LanguageModelV4FunctionTool[]
  #others: () => readonly Tool[] = () => []
  #added: Promise<readonly Tool[]> | undefined
  /** The window that they were chosen for. */
  #window: number | undefined

  constructor(options: ToolboxOptions) {
    const names = options.own.map(({ name }) => name)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined)
      throw new SameName(`There are two tools with the name "${twice}". Give the one that is yours another.`)
    this.#options = options
    this.#told = options.own
    this.#forms = []
  }

  async decide(): Promise<void> {
    this.#added ??= this.#borrow()
    const all = [...this.#options.own, ...(await this.#added)]
    const { model, notice, decided } = this.#options
    const { id, window } = model()
    if (window === this.#window) return
    this.#window = window
    const { kept, left } = toolsWithin(all, { window })
    this.#told = kept
    this.#forms = kept.map(toolForm)
    decided(kept)
    if (left.length > 0)
      notice(
        `The window of ${id} is small (${window} tokens): it is not told of these tools: ${left.join(', ')}.`,
      )
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

  /** What other programs lend, besides what there is already. */
  async #borrow(): Promise<readonly Tool[]> {
    const { own, lend, notice } = this.#options
    const lent = await lend?.(own)
    if (!lent) return []
    this.#others = lent.others
    for (const each of lent.notices) notice(each)
    const taken = new Set(own.map(({ name }) => name))
    return lent.told.filter(({ name }) => !taken.has(name))
  }
}
