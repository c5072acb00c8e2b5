import { INDEX_FILE } from '../../memory/index.ts'
import { EMBEDDED } from '../../models/index.ts'
import { NO_USAGE } from '../../session/index.ts'
import type { Dreamed, Dreamer, Stage } from '../dreamer.ts'
import { consolidate } from './consolidate.ts'

const MENDED = 'lines that were too long, stood twice, led nowhere or held a secret were mended'

/** The mind that needs no model: decides at once, then puts it on the stage. */
export const embeddedDreamer: Dreamer = {
  name: EMBEDDED,
  async dream({ material, stage, signal, progress }) {
    progress({ phase: 'consolidate' })
    const { changes, mendedIndex, ...report } = await consolidate(material)
    progress({ phase: 'prune' })
    await putOnStage(stage, { changes, ...(mendedIndex !== undefined && { mendedIndex }) }, signal)
    return { ...report, usage: NO_USAGE }
  },
}

/** Everything that the embedded mind has decided. */
export async function putOnStage(
  stage: Stage,
  { changes, mendedIndex }: Pick<Dreamed, 'changes' | 'mendedIndex'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { file, text, action, reason, wentTo = 'nowhere' } of changes) {
    signal.throwIfAborted()
    // Which lines it has follows from the files when they are changed.
    if (file === INDEX_FILE) continue
    if (action === 'remove' || text === null) await stage.remove(file, { reason, wentTo })
    else await stage.write(file, text, { action, reason })
  }
  if (mendedIndex !== undefined)
    await stage.write(INDEX_FILE, mendedIndex, { action: 'update', reason: MENDED })
}
