/** Two hundred conversations with the gateway at the same time, for five minutes: none is dropped, memory stays flat. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startFakeProvider } from '../src/models/wire.fixture.ts'
import { holdChats } from './load/chats.ts'
import { echo } from './load/echo.ts'

const BIN = fileURLToPath(new URL('../bin/reverie', import.meta.url))
const CHATS = 200
const SECONDS = 300
const QUESTIONS_EACH = 8
const THINK_MS = 2_000
const PATIENCE_MS = 120_000
const LOOK_EVERY_MS = 2_000
/** Of the last third over the second one: beyond it, something is kept that should not be. */
const MOST_GROWTH = 1.15

export async function run(args: string[]): Promise<void> {
  const options = {
    count: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  const [chats, seconds] = [Number(values.count ?? CHATS), Number(values.seconds ?? SECONDS)]
  const root = mkdtempSync(join(tmpdir(), 'reverie-load-'))
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  for (const each of [home, project]) mkdirSync(each)
  await using provider = await startFakeProvider()
  provider.always(echo)
  // What is measured is talking: jobs beside it would ask this model for what it cannot say.
  const config = {
    model: 'anthropic/fake',
    providers: provider.settings('anthropic'),
    dream: { enabled: false },
    extraction: { approval: 'off' },
  }
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
  const server = spawn(BIN, ['gateway', '--port', '0', '--home', home, '--project', project], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [link] = (await once(createInterface(server.stdout), 'line')) as [string]
    const sizes: number[] = []
    const looking = setInterval(() => sizes.push(residentMb(server.pid ?? 0)), LOOK_EVERY_MS)
    const forMs = seconds * 1_000
    const report = await holdChats({
      ...{ link, chats, forMs, questionsEach: QUESTIONS_EACH, thinkMs: THINK_MS, patienceMs: PATIENCE_MS },
    })
    clearInterval(looking)
    const third = Math.floor(sizes.length / 3)
    const [middle, last] = [median(sizes.slice(third, 2 * third)), median(sizes.slice(2 * third))]
    const growth = last / middle
    process.stdout.write(
      `${[
        `load: ${chats} chats at a time for ${seconds} s, ${report.conversations} conversations`,
        `  answered: ${report.answered}, median ${Math.round(median(report.tookMs))} ms, 99 % within ${Math.round(percentile(report.tookMs, 0.99))} ms`,
        `  memory: ${Math.round(sizes[0] ?? 0)} MB at first, ${Math.round(middle)} MB in the second third, ${Math.round(last)} MB in the last (× ${growth.toFixed(2)})`,
        `  dropped: ${report.dropped.length}`,
        ...report.dropped.slice(0, 10).map(each => `    ${each}`),
      ].join('\n')}\n`,
    )
    if (report.dropped.length > 0 || report.answered === 0 || growth > MOST_GROWTH) process.exitCode = 1
  } finally {
    server.kill()
    await once(server, 'exit')
    rmSync(root, { recursive: true, force: true })
  }
}

function residentMb(pid: number): number {
  const [, kb = 'NaN'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
