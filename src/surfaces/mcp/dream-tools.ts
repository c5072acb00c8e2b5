import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { DreamProgress } from '../../dream/index.ts'
import { answer, READS, WRITES } from './answer.ts'
import type { Lender } from './lender.ts'

/** Consolidating memory, and when it is time to. */
export function registerDreamTools(server: McpServer, lender: Lender): void {
  registerRun(server, lender)
  server.registerTool(
    'dream_status',
    {
      title: 'When memory was consolidated',
      description: 'When the last dream was, what the next one waits for, and whether one goes on now.',
      outputSchema: {
        lastConsolidatedAt: z.string().nullable(),
        hoursSince: z.number().nullable(),
        sessionsSince: z.int(),
        wouldRun: z.boolean(),
        gate: z.string().nullable(),
        reason: z.string().nullable(),
        lock: z.object({ held: z.boolean(), pid: z.int().nullable() }),
        phase: z.string().nullable(),
        rounds: z.number().nullable(),
        files: z.number().nullable(),
        tokens: z.object({ in: z.number(), out: z.number() }).nullable(),
        usd: z.number().nullable(),
        progress: z.string().nullable(),
      },
      annotations: { ...READS, title: 'When memory was consolidated' },
    },
    async () => {
      const { dreamStatus } = await import('../../dream/index.ts')
      return answer(await dreamStatus(await lender.dreamContext()))
    },
  )
}

function registerRun(server: McpServer, lender: Lender): void {
  server.registerTool(
    'dream_run',
    {
      title: 'Consolidate memory',
      description:
        'Dreams: merges duplicates, corrects what has changed, drops what has gone stale. Skipped when it is not time yet, unless forced. Everything it does is undone by `reverie dream restore ID`.',
      inputSchema: {
        force: z.boolean().optional().describe('although it is not time yet'),
        dryRun: z.boolean().optional().describe('tell what would be changed, and change nothing'),
      },
      outputSchema: {
        status: z.string(),
        dryRun: z.literal(true).optional(),
        gate: z.string().optional().describe('why it was skipped'),
        reason: z.string().optional(),
        id: z.string().optional(),
        changes: z.array(z.object({ file: z.string(), action: z.string(), reason: z.string() })),
        tokens: z.object({ in: z.number(), out: z.number() }),
        ms: z.number(),
        warnings: z.array(z.string()),
      },
      annotations: { ...WRITES, title: 'Consolidate memory' },
    },
    async ({ force = false, dryRun = false }, { signal, _meta, sendNotification }) => {
      const { dream, progressLine, reportForPrograms } = await import('../../dream/index.ts')
      const token = _meta?.progressToken
      let steps = 0
      let so: DreamProgress = {}
      const outcome = await dream(await lender.dreamContext(), {
        force,
        dryRun,
        signal,
        progress: news => {
          so = { ...so, ...news }
          if (token === undefined) return
          const params = { progressToken: token, progress: ++steps, message: progressLine(so) }
          // Whoever asked may have gone; then the signal ends the dream.
          sendNotification({ method: 'notifications/progress', params }).catch(() => {})
        },
      })
      return answer(reportForPrograms(outcome))
    },
  )
}
