import { type Config, resolveSecret } from '../../../config/index.ts'
import { braveEngine } from './brave.ts'
import { type Engine, SearchFailed } from './engine.ts'
import { searxngEngine } from './searxng.ts'

/** One's own SearXNG is asked before a key is spent. */
export function chooseEngine({ braveKey, searxngUrl }: Config['web'], env: NodeJS.ProcessEnv): Engine {
  if (searxngUrl !== undefined) return searxngEngine(searxngUrl)
  const key = braveKey === undefined ? env.BRAVE_API_KEY : keyFrom(braveKey, env)
  if (key) return braveEngine(key)
  throw new SearchFailed(
    'Searching the web is not set up. Either `reverie config set web.braveKey KEY` (or export BRAVE_API_KEY), ' +
      'with a key from https://brave.com/search/api, or `reverie config set web.searxngUrl URL` of a SearXNG.',
  )
}

function keyFrom(configured: string, env: NodeJS.ProcessEnv): string {
  const secret = resolveSecret(configured, env)
  if (secret.state !== 'missing') return secret.value
  throw new SearchFailed(
    `web.braveKey refers to ${secret.variable}, which is not set: export ${secret.variable}=….`,
  )
}
