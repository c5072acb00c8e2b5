/** What programs reach over HTTP: the OpenAI-compatible API below `/v1`, memory over MCP at `/mcp`. Keys let them in. */
import type { Hono } from 'hono'
import { Memory } from '../../memory/index.ts'
import type { GatewayContext, GatewayPart } from './part.ts'

const PORT = 4182

export interface ProgramsOptions {
  /** False with `--no-memory`: then there is nothing to lend either. */
  withMemory?: boolean
  /** Any free one when it is 0. */
  port?: number
}

export function programsPart({ withMemory = true, port = PORT }: ProgramsOptions = {}): GatewayPart {
  return {
    name: 'programs',
    async start(gateway) {
      const opened = new AsyncDisposableStack()
      try {
        const { listen, makeApp } = await import('../http/index.ts')
        // Each finds out by itself who asks, and only then reads; each says in its own form what is too long.
        const app = makeApp({ bodyBytes: Number.POSITIVE_INFINITY, log: gateway.log })
        await mountPrograms(app, gateway, withMemory, opened)
        const server = opened.use(await listen(app.fetch, { port, orAnother: true }))
        gateway.note(`${server.url} (/v1, /mcp)`)
        return opened
      } catch (error) {
        await opened.disposeAsync()
        throw error
      }
    },
  }
}

/** To be mounted on any server; what it opens is closed with `opened`. */
async function mountPrograms(
  app: Hono,
  { home, project, env, configOf, log }: GatewayContext,
  withMemory: boolean,
  opened: AsyncDisposableStack,
): Promise<void> {
  const [{ makeApi }, { Lender, mcpOverHttp }, { bearerOnly, Keys }] = await Promise.all([
    import('../api/index.ts'),
    import('../mcp/index.ts'),
    import('../keys/index.ts'),
  ])
  const config = () => configOf(project)
  const keys = new Keys(home)
  const { dir: directory } = (await config()).memory
  const memory = withMemory ? await Memory.open({ home, project, directory }) : undefined
  if (memory) opened.use(memory)
  const api = opened.use(makeApi({ home, project, config, env, keys, log, ...(memory && { memory }) }))
  app.route('/', api.app)
  if (!memory) return
  const { McpHandler } = await mcpOverHttp()
  const lender = opened.use(new Lender({ home, project, config, env, memory }))
  const handler = opened.use(new McpHandler(lender))
  app.use(
    '/mcp',
    bearerOnly(shown => keys.verify(shown) !== undefined),
  )
  app.all('/mcp', context => handler.fetch(context.req.raw))
}
