import type { Command } from 'commander'
import { loadConfig } from '../config/index.ts'
import {
  dreamsPart,
  type GatewayPart,
  type GatewayStatus,
  gatewayStatus,
  pagePart,
  programsPart,
  runGateway,
  schedulesPart,
  stopGateway,
} from '../surfaces/gateway/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'
import { readPort } from './port.ts'
import { packageVersion } from './version.ts'

const EXAMPLES = `
Examples:
  $ reverie gateway                    runs until Ctrl-C: the page, and the jobs of every project
  $ reverie gateway --port 8080        the page there, and not on 127.0.0.1:4180
  $ reverie gateway status             whether one runs, and what it does; exit code 1 when none does
  $ reverie gateway stop               ends it, with all that it runs
`

interface PageFlags {
  port?: number
  host?: string
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const EXIT_INTERRUPTED = 130

export function define(command: Command): void {
  command
    .option('--port <n>', 'where the page is; 0 for any free port (default: 4180, else a free one)', readPort)
    .option('--host <address>', 'the address for the page to listen on, when not this machine alone')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: PageFlags, self: Command) => {
      await run(new Invocation(self), flags)
    })
  command
    .command('status')
    .description('whether one runs for this home, and how its parts are')
    .action(async (_: unknown, self: Command) => {
      const invocation = new Invocation(self)
      const status = await gatewayStatus(invocation.home)
      if (!status.running) invocation.fail()
      invocation.output.result(status, () => statusText(status))
    })
  command
    .command('stop')
    .description('end the one that runs for this home, with all that it runs')
    .action(async (_: unknown, self: Command) => {
      const { home, output } = new Invocation(self)
      const pid = await stopGateway(home)
      output.result({ stopped: pid !== undefined, ...(pid !== undefined && { pid }) }, () =>
        pid === undefined ? 'No gateway runs here.' : `The gateway (process ${pid}) has ended.`,
      )
    })
}

/** All that it runs; each part begins and ends by itself. */
function partsFor(invocation: Invocation, { port, host }: PageFlags): GatewayPart[] {
  const withMemory = invocation.flags.memory
  return [
    schedulesPart({ withMemory }),
    ...(withMemory ? [dreamsPart()] : []),
    programsPart({ withMemory }),
    pagePart({
      withMemory,
      port,
      address: host,
      version: packageVersion(),
      config: () => invocation.config(),
      // The log is kept; the link is for who looks on.
      onLink: link => invocation.output.result({ link }, () => link),
    }),
  ]
}

async function run(invocation: Invocation, pageFlags: PageFlags): Promise<void> {
  const { home, project, env, flags } = invocation
  const ending = new AbortController()
  const stop = () => {
    if (ending.signal.aborted) process.exit(EXIT_INTERRUPTED) // asked twice: somebody does not want to wait
    ending.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  await invocation.config() // what is wrong with the settings is told before anything begins
  const inTime = await runGateway({
    home,
    project,
    env,
    // A memory directory that was named is that of the project it was named for.
    configOf: async of => {
      const memoryDir = of.slug === project.slug ? flags.memoryDir : undefined
      return (await loadConfig({ home, project: of, env, flags: { model: flags.model, memoryDir } })).config
    },
    parts: partsFor(invocation, pageFlags),
    signal: ending.signal,
    write: text => void process.stderr.write(text),
  })
  // What did not end in time must not keep the process.
  process.exit(inTime ? 0 : 1)
}

function statusText({ running, pid, startedAt, project, parts = [], log }: GatewayStatus): string {
  if (!running) return 'No gateway runs here. `reverie gateway` starts one.'
  const since = startedAt === undefined ? '' : `, since ${new Date(startedAt).toLocaleString('sv')}`
  const rows = parts.map(({ name, status, note, error }) => [name, status, oneLine(error ?? note ?? '')])
  return [
    `The gateway runs: process ${pid}${since}${project === undefined ? '' : `, in ${printable(project)}`}.`,
    table(rows),
    `Log: ${printable(log)}`,
  ].join('\n')
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ')
}
