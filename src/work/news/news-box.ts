/** What happened while nobody was there, kept until the next conversation of the project hears it. */
import { join } from 'node:path'
import { type Home, prepareHome } from '../../config/index.ts'
import { ensureDirectory, readSmallFile, withLock, writeFileAtomic } from '../../store/index.ts'

export interface News {
  /** What it is news of: the id of a job. */
  source: string
  /** What it came to, or something about it that its owner has to know. */
  kind: 'result' | 'notice'
  at: string
  /** As it is called where somebody reads of it. */
  name: string
  text: string
  /** How often there was news of this kind since somebody heard; only the newest is kept. */
  times: number
}

/** The newest of a kind replaces those before it: a job that runs every minute says one thing in the morning. */
const MOST_NEWS = 40
const LONGEST_TEXT = 2_000

export class NewsBox {
  readonly path: string
  #home: Home
  #directory: string

  constructor(home: Home, { slug }: { slug: string }) {
    this.#home = home
    this.#directory = join(home.projects, slug)
    this.path = join(this.#directory, 'news.json')
  }

  async add(news: Omit<News, 'times'>): Promise<void> {
    await this.#change(kept => {
      const isSame = ({ source, kind }: News) => source === news.source && kind === news.kind
      const times = 1 + (kept.find(isSame)?.times ?? 0)
      const text = news.text.length > LONGEST_TEXT ? `${news.text.slice(0, LONGEST_TEXT - 1)}…` : news.text
      return [...kept.filter(each => !isSame(each)), { ...news, text, times }].slice(-MOST_NEWS)
    })
  }

  /** All of it, the oldest first; nobody else gets it any more. */
  async take(): Promise<News[]> {
    if (this.#kept().length === 0) return []
    let taken: News[] = []
    await this.#change(kept => {
      taken = kept
      return []
    })
    return taken
  }

  async #change(decide: (kept: News[]) => News[]): Promise<void> {
    await prepareHome(this.#home)
    await withLock(join(this.#directory, 'locks', 'news'), async lock => {
      const next = decide(this.#kept())
      await lock.check()
      await ensureDirectory(this.#directory)
      await writeFileAtomic(this.path, `${JSON.stringify({ version: 1, news: next }, null, 1)}\n`)
    })
  }

  /** Nothing of it is needed by anything: what cannot be read is not news. */
  #kept(): News[] {
    try {
      const found = JSON.parse(readSmallFile(this.path) ?? '{}') as { news?: unknown }
      return Array.isArray(found.news) ? found.news.filter(isNews) : []
    } catch {
      return []
    }
  }
}

function isNews(value: unknown): value is News {
  const { source, kind, at, name, text, times } = (value ?? {}) as Partial<News>
  return (
    [source, at, name, text].every(each => typeof each === 'string') &&
    (kind === 'result' || kind === 'notice') &&
    Number.isSafeInteger(times)
  )
}
