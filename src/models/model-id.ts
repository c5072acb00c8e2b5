import { MODEL_FORM, MODEL_PATTERN } from '../config/index.ts'
import { ReverieError } from '../store/index.ts'

/** A model that cannot be used as things are set up. The message names the setting to change. */
export class ModelUnavailable extends ReverieError {}

export const EMBEDDED = 'embedded'

/** `provider/name`; the name may hold slashes of its own (`openrouter/vendor/model`). */
export interface ModelId {
  provider: string
  name: string
}

export function parseModelId(id: string): ModelId {
  if (!MODEL_PATTERN.test(id))
    throw new ModelUnavailable(
      `${JSON.stringify(id)} is not a model: ${MODEL_FORM}. Set another with --model or \`reverie config set model PROVIDER/MODEL\`.`,
    )
  if (id === EMBEDDED) return { provider: EMBEDDED, name: EMBEDDED }
  const slash = id.indexOf('/')
  return { provider: id.slice(0, slash), name: id.slice(slash + 1) }
}
