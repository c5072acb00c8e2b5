import type { Config } from '../config/index.ts'
import { knownProvider } from './catalogue.ts'
import { isElsewhere } from './connection.ts'
import { providerKeys } from './keys.ts'
import { EMBEDDED, parseModelId } from './model-id.ts'

export interface Choice {
  id: string
  /** Why this one, as a part of a sentence. */
  reason: string
}

/** The model to talk to: the one that was set, else one that the first key found can use, else `embedded`. */
export function chooseModel(config: Config, env: NodeJS.ProcessEnv): Choice {
  if (config.model) return { id: config.model, reason: 'it is set as the model' }
  for (const { provider, place, found } of providerKeys(config, env)) {
    const known = knownProvider(provider)
    if (!found || !known?.model || known.ambiguous?.includes(place)) continue
    const reason = `the key of ${provider} was found in ${place}`
    return { id: `${provider}/${known.model}`, reason }
  }
  return { id: EMBEDDED, reason: 'no model is set and no key was found' }
}

/**
 * The model for side jobs beside `model`: the one that was set, else the small one of the same provider, else the
 * same. Where requests go to an address of the owner's, nobody knows which models are there.
 */
export function chooseSmallModel(model: string, config: Config, env: NodeJS.ProcessEnv): string {
  if (config.smallModel) return config.smallModel
  const { provider } = parseModelId(model)
  const small = knownProvider(provider)?.small
  return small && !isElsewhere(provider, config, env) ? `${provider}/${small}` : model
}
