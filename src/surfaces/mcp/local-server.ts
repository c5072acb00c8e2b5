/** A server of its own for programs on this machine, where no gateway runs. */
import { listen, makeApp } from '../http/index.ts'
import { bearerOnly } from '../keys/index.ts'
import { McpHandler } from './http.ts'
import type { Lender } from './lender.ts'

export interface LocalServerOptions {
  /** Any free one when it is 0. */
  port: number
  isKnown(token: string): boolean
}

export interface LocalServer extends AsyncDisposable {
  url: string
}

export async function serveHttp(lender: Lender, { port, isKnown }: LocalServerOptions): Promise<LocalServer> {
  const handler = new McpHandler(lender)
  const app = makeApp()
  app.use(bearerOnly(isKnown))
  app.all('/mcp', context => handler.fetch(context.req.raw))
  const server = await listen(app.fetch, { port }).catch(async error => {
    await handler[Symbol.asyncDispose]()
    throw error
  })
  return {
    url: `${server.url}/mcp`,
    async [Symbol.asyncDispose]() {
      await handler[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
