import { EMBEDDED } from '../../models/index.ts'
import { NO_USAGE } from '../../session/index.ts'
import type { Dreamer } from '../dreamer.ts'
import { consolidate } from './consolidate.ts'

/** The mind that needs no model: decides at once, then puts it on the stage. */
export const embeddedDreamer: Dreamer = {
  name: EMBEDDED,
  async dream({ material, stage, signal, progress }) {
    progress({ phase: 'consolidate' })
    const { changes, ...report } = await consolidate(material)
    progress({ phase: 'prune' })
    for (const { file, text, action, reason, wentTo = 'nowhere' } of changes) {
      signal.throwIfAborted()
      if (action === 'remove' || text === null) await stage.remove(file, { reason, wentTo })
      else await stage.write(file, text, { action, reason })
    }
    return { ...report, usage: NO_USAGE }
  },
}
