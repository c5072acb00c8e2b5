export { Lender } from './lender.ts'
export { openedDirectory } from './opened-directory.ts'
export { serveClient } from './server.ts'
export { StdioTransport } from './stdio.ts'

/** What listens to addresses is loaded where somebody does. */
export const mcpOverHttp = async () => ({
  ...(await import('./http.ts')),
  ...(await import('./local-server.ts')),
})
