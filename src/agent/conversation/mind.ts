import type { Config } from '../../config/index.ts'
import { chooseSmallModel, type OpenedModel, openModel } from '../../models/index.ts'

/** Which models a conversation has: the one that answers, the small one for side jobs, and the one that steps in. */
export class Mind {
  #model: OpenedModel
  #config: Config
  #env: NodeJS.ProcessEnv
  #unbounded = new Set<string>()

  constructor(model: OpenedModel, config: Config, env: NodeJS.ProcessEnv) {
    this.#model = model
    this.#config = config
    this.#env = env
  }

  get model(): OpenedModel {
    return this.#model
  }

  /** What is to be said, once for each model, where the budget cannot stop what nobody knows the price of. */
  unbounded(): string | undefined {
    const { id, provider, price } = this.#model
    if (this.#config.budget.usd === undefined || price || this.#unbounded.has(id)) return undefined
    this.#unbounded.add(id)
    return (
      `What ${id} costs is not known, so budget.usd does not stop this session. Tell its price: ` +
      `reverie config set providers.${provider}.price '{"input":3,"output":15}' (US dollars for a million tokens).`
    )
  }

  /** Another one answers from the next message on. */
  async use(id: string): Promise<void> {
    this.#model = await openModel(id, this.#config, this.#env)
  }

  /** By its name, or `small` for the one of side jobs. */
  open(id: string): Promise<OpenedModel> {
    const [config, env] = [this.#config, this.#env]
    return openModel(id === 'small' ? chooseSmallModel(this.#model.id, config, env) : id, config, env)
  }

  /** Opens the one that steps in when the other is overloaded; undefined where none is configured. */
  get fallback(): (() => Promise<OpenedModel>) | undefined {
    const { fallbackModel } = this.#config
    return fallbackModel === undefined ? undefined : () => this.open(fallbackModel)
  }
}
