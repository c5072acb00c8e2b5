/** The page, for as long as the gateway runs. */
import type { LoadedConfig } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import type { GatewayPart } from './part.ts'

export interface PagePartOptions {
  /** False with `--no-memory`. */
  withMemory?: boolean
  /** Any free one when it is 0; 4180, or a free one, unless told. */
  port?: number | undefined
  /** This machine alone unless told. */
  address?: string | undefined
  version: string
  /** The settings of the gateway's own project, as they are now. */
  config(): Promise<LoadedConfig>
  /** Told the link that lets in one browser, once: it is not for a log. */
  onLink(link: string): void
}

const PORT = 4180

export function pagePart({
  withMemory = true,
  port,
  address,
  onLink,
  ...about
}: PagePartOptions): GatewayPart {
  return {
    name: 'page',
    async start({ home, project, env, log, note }) {
      const { openPage } = await import('../web/index.ts')
      const opened = new AsyncDisposableStack()
      try {
        const { config } = await about.config()
        const memory = withMemory
          ? opened.use(await Memory.open({ home, project, directory: config.memory.dir }))
          : undefined
        const page = opened.use(
          await openPage({
            ...about,
            ...{ home, project, env, memory, log, address, start: 'reverie gateway' },
            port: port ?? PORT,
            orAnother: port === undefined,
            // Another part of the gateway does.
            beginsJobs: false,
          }),
        )
        note(page.url)
        onLink(page.link())
        return opened
      } catch (error) {
        await opened.disposeAsync()
        throw error
      }
    },
  }
}
