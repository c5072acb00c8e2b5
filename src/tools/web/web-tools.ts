import type { Config } from '../../config/index.ts'
import type { Tool } from '../tool.ts'
import { readAllowance } from './allowance.ts'
import { webFetchTool } from './fetch-tool.ts'
import { chooseEngine } from './search/choose.ts'
import { webSearchTool } from './search-tool.ts'
import { INTERNET, LIMITS, type Limits, type Network } from './visit.ts'

export interface WebOptions {
  settings: Config['web']
  env: NodeJS.ProcessEnv
  /**
   * Asked before a redirect to another host is followed: whoever decides about addresses has seen only the first.
   * Without it, any public one is.
   */
  mayFollow?: (url: string) => boolean | Promise<boolean>
  network?: Partial<Network>
  limits?: Partial<Limits>
  now?(): number
}

/** Reading and searching the web. Made once for a conversation, which they keep what was read for. */
export function webTools({ settings, env, mayFollow, ...given }: WebOptions): Tool[] {
  const network = { ...INTERNET, ...given.network }
  const limits = { ...LIMITS, ...given.limits }
  const now = given.now ?? Date.now
  return [
    webFetchTool({
      allowance: () => readAllowance(settings.allowPrivate),
      network,
      limits,
      now,
      mayFollow,
    }),
    webSearchTool({ engine: () => chooseEngine(settings, env), network, limits }),
  ]
}
