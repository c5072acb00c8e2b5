/** The page on an address of this machine. */
import type { Hono } from 'hono'
import { listen, makeApp } from '../http/index.ts'
import { pageApp } from './app.ts'
import { builtPage } from './built-page.ts'
import { Door } from './door.ts'
import { readPage } from './page-files.ts'
import { Place, type PlaceOptions } from './place.ts'

export interface PageOptions extends PlaceOptions {
  port: number
  /** Any free one when that is taken. */
  orAnother?: boolean
  /** This machine alone unless told. */
  address?: string | undefined
  /** What else answers here, and finds out by itself who asks. */
  mount?(app: Hono): void
}

export interface Page extends AsyncDisposable {
  url: string
  /** Lets in one browser, once. */
  link(): string
}

export async function openPage(options: PageOptions): Promise<Page> {
  const { home, port, orAnother = false, address, mount, log } = options
  const files = readPage(await builtPage())
  const door = new Door(home)
  const place = await Place.open(options)
  try {
    let url = ''
    const link = () => `${url}/enter?token=${door.makeToken()}`
    const app = makeApp({ address, log })
    mount?.(app)
    app.route('/', pageApp({ place, door, files, makeLink: link }))
    const server = await listen(app.fetch, { port, orAnother, address })
    url = server.url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:')
    return {
      url,
      link,
      async [Symbol.asyncDispose]() {
        // What is being answered is written down before the last connection is cut.
        await place[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}
