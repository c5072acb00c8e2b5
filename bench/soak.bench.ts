import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printTable, round } from './report.ts'
import type { Measured } from './soak/day.ts'

/** 24 simulated hours of heartbeats and jobs, each answered by an agent: what must not grow (7-bars.md). */
const HOURS = '24'
const SHOWN_EVERY = 4

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, hours: { type: 'string', default: HOURS } },
  })
  const directory = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const script = fileURLToPath(new URL('soak/child.ts', import.meta.url))
    // In a process of its own, whose memory is nothing but this.
    const child = spawnSync(process.execPath, ['--expose-gc', script, directory, values.hours], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const hours = JSON.parse(child.stdout) as Measured[]
    const shown = hours.filter(({ hour }) => hour === 1 || hour % SHOWN_EVERY === 0 || hour === hours.length)
    const rows = shown.map(({ ledgerBytes, heapMegabytes, rssMegabytes, ...counts }) => ({
      ...counts,
      'ledger KB': round(ledgerBytes / 1024, 1),
      'heap MB': round(heapMegabytes, 1),
      'RSS MB': round(rssMegabytes, 1),
    }))
    if (values.json) console.log(JSON.stringify(rows))
    else printTable('Two heartbeats every 30 s and three jobs every minute, simulated hours', rows)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
