import type { Config } from '../config/index.ts'
import { findConnection } from './connection.ts'

/** Where nothing listens, that is known at once; what listens may be busy. */
const PROBE_LIMIT_MS = 2_000

/** The models installed in the Ollama that is running, or undefined when none answers. */
export async function ollamaModels(
  config: Config,
  env: NodeJS.ProcessEnv,
  limitMs = PROBE_LIMIT_MS,
): Promise<string[] | undefined> {
  const { baseUrl = '' } = findConnection('ollama/any', config, env)
  try {
    const answer = await fetch(`${baseUrl.replace(/\/v1$/, '')}/api/tags`, {
      signal: AbortSignal.timeout(limitMs),
    })
    return answer.ok ? installed(await answer.json()) : undefined
  } catch {
    return undefined // nothing listens there, or something that is not Ollama
  }
}

function installed(answer: unknown): string[] | undefined {
  const models = (answer as { models?: unknown } | null)?.models
  if (!Array.isArray(models)) return undefined
  return models.flatMap(model => {
    const name = (model as { name?: unknown } | null)?.name
    return typeof name === 'string' ? [name] : []
  })
}
