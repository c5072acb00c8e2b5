import type { Command } from 'commander'
import { styledError } from '../surfaces/text/styled.ts'
import { Invocation } from './invocation.ts'
import { readPort } from './port.ts'
import { packageVersion } from './version.ts'

const EXAMPLES = `
Examples:
  $ reverie web                        on 127.0.0.1:4180, or a free port when that is taken
  $ reverie web --port 8080 --no-open
  $ reverie web --host 0.0.0.0         also for other machines: only in a network that you trust

It prints one link, which lets in one browser, once; a cookie keeps that browser in.
`
const DEFAULT_PORT = 4180

interface WebFlags {
  port?: number
  host?: string
  open: boolean
}

export function define(command: Command): void {
  command
    .option('--port <n>', `where; 0 for any free one (default: ${DEFAULT_PORT}, else a free one)`, readPort)
    .option('--host <address>', 'the address to listen on, when not this machine alone')
    .option('--no-open', 'do not open a browser')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: WebFlags, self: Command) => {
      await serve(new Invocation(self), flags)
    })
}

async function serve(invocation: Invocation, { port, host, open }: WebFlags): Promise<void> {
  const { home, project, env, output, flags } = invocation
  await invocation.config() // what is wrong with the settings is told before anything begins
  using memory = flags.memory ? await invocation.memory() : undefined
  const { openBrowser, openPage } = await import('../surfaces/web/index.ts')
  await using page = await openPage({
    home,
    project,
    env,
    memory,
    config: () => invocation.config(),
    version: packageVersion(),
    start: env.npm_lifecycle_event === 'start' ? 'npm start' : 'reverie web',
    log: text => output.message(styledError('dim', text)),
    port: port ?? DEFAULT_PORT,
    orAnother: port === undefined,
    address: host,
  })
  const link = page.link()
  output.result({ url: page.url, link }, () => link)
  if (host !== undefined)
    output.message(
      'Others in this network can reach it, and what goes over it can be read there: it is http.',
    )
  // Only for a person at a terminal: a program that reads the link wants it for itself.
  if (open && process.stdout.isTTY) await openBrowser(home, link, env)
  output.message('The link works once; Ctrl-C ends the page.')
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
