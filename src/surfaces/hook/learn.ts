/** What the owner said to another agent and is worth keeping. */
import { asideLine, asidesOf, extractorFor } from '../../assembly/index.ts'
import type { Config } from '../../config/index.ts'
import { extract } from '../../extraction/index.ts'
import type { Memory } from '../../memory/index.ts'
import { chooseModel, type Usage } from '../../models/index.ts'
import type { Message } from '../../session/index.ts'
import { contentHash } from '../../store/index.ts'
import type { Said } from './trail.ts'

export interface LearnOptions {
  memory: Memory
  config: Config
  env: NodeJS.ProcessEnv
  session: string
  /** How far this session has been looked through. */
  cursorPath: string
}

/** One that takes longer has failed. */
const LONGEST_MS = 120_000

/** Keeps it, or proposes it, as the owner set; one line for each change, with its undo. */
export async function learn(said: readonly Said[], options: LearnOptions): Promise<string[]> {
  const { memory, config, env, session, cursorPath } = options
  const { approval } = config.extraction
  if (approval === 'off') return []
  const spent: Usage[] = []
  const outcome = await extract(
    {
      memory,
      approval,
      session,
      cursorPath,
      messages: said.map(toMessage),
      extractor: () => extractorFor(chooseModel(config, env).id, config, env),
      signal: AbortSignal.timeout(LONGEST_MS),
      now: new Date(),
    },
    usage => spent.push(usage),
  )
  const tokens = spent.reduce((sum, { input, output }) => sum + input + output, 0)
  const cost = tokens === 0 ? '' : ` (${tokens} tokens)`
  return asidesOf(outcome).map(aside => `Reverie: ${asideLine(aside)}${cost}`)
}

function toMessage({ who, text, at }: Said): Message {
  const by =
    who === 'person'
      ? ({ role: 'user', origin: 'person' } as const)
      : ({ role: 'assistant', origin: 'model' } as const)
  return {
    id: `m_${contentHash(`${who}\n${at}\n${text}`).slice(0, 16)}`,
    ...by,
    at,
    parts: [{ type: 'text', text }],
  }
}
