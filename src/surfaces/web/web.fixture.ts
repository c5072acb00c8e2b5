/** A page on a port of this machine, and a browser without a window that was let in: for tests. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Config, DEFAULTS, findProject, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { openPage, type Page } from './index.ts'

export interface ServedPage {
  page: Page
  memory: Memory
  root: string
  home: ReturnType<typeof homeAt>
  project: ReturnType<typeof findProject>
  logged: string[]
}

export interface ServeOptions {
  config?: Partial<Config>
  port?: number
  root?: string
  /** The directory in the root that is the project. */
  name?: string
}

export async function servePage({
  config = {},
  port = 0,
  root = temporaryDirectory(),
  name = 'project',
}: ServeOptions = {}): Promise<ServedPage> {
  const [home, directory] = [homeAt(join(root, 'home')), join(root, name)]
  mkdirSync(directory, { recursive: true })
  const project = findProject(directory)
  const memory = await Memory.open({ home, project })
  const logged: string[] = []
  const page = await openPage({
    home,
    project,
    env: { PATH: process.env.PATH ?? '' },
    memory,
    config: async () => ({ config: { ...structuredClone(DEFAULTS), ...config }, sources: new Map() }),
    version: '0.0.0',
    log: text => logged.push(text),
    port,
  })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    memory[Symbol.dispose]()
  })
  return { page, memory, root, home, project, logged }
}

export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  body: any
}

/** Asks as the page does: with its cookie, and from its own origin. */
export class Visitor {
  readonly url: string
  readonly cookie: string

  private constructor(url: string, cookie: string) {
    this.url = url
    this.cookie = cookie
  }

  static async of({ url, link }: Page): Promise<Visitor> {
    const response = await fetch(link(), { redirect: 'manual' })
    return new Visitor(url, (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '')
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const response = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: { cookie: this.cookie, origin: this.url },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  /** What comes on the stream, one event after the other. */
  async *events(
    query: Record<string, string> = {},
  ): AsyncGenerator<{ id: string; topic: string; data: unknown }> {
    const ending = new AbortController()
    const response = await fetch(`${this.url}/api/events?${new URLSearchParams(query)}`, {
      headers: { cookie: this.cookie },
      signal: ending.signal,
    })
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const whole = text.split('\n\n')
        text = whole.pop() ?? ''
        for (const each of whole) {
          const fields = new Map(each.split('\n').map(line => line.split(/: (.*)/s, 2) as [string, string]))
          const [id = '', topic = '', data] = ['id', 'event', 'data'].map(name => fields.get(name))
          if (data !== undefined) yield { id, topic, data: JSON.parse(data) }
        }
      }
    } finally {
      ending.abort()
    }
  }
}
