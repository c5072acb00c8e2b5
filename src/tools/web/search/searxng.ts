import { z } from 'zod'
import type { Engine } from './engine.ts'

const answer = z.object({
  results: z.array(
    z.object({
      title: z.string().catch(''),
      url: z.string(),
      content: z.string().catch(''),
      publishedDate: z.string().nullish().catch(undefined),
    }),
  ),
})

/** SearXNG: https://docs.searxng.org/dev/search_api.html. It gives a page of results, however many are asked for. */
export function searxngEngine(base: string): Engine {
  return {
    name: 'SearXNG',
    address(query) {
      const url = new URL(base)
      url.pathname = `${url.pathname.replace(/(\/search)?\/*$/, '')}/search`
      url.search = `${new URLSearchParams({ q: query, format: 'json' })}`
      return url
    },
    headers: {},
    results: body =>
      answer.parse(body).results.map(({ title, url, content, publishedDate }) => ({
        title,
        url,
        snippet: content,
        age: publishedDate ?? undefined,
      })),
    advice(status) {
      if (status === 403) return 'It may not answer in JSON: add json to search.formats in its settings.yml.'
      return status === 429 ? 'Its limiter refuses: allow this machine there.' : 'Check web.searxngUrl.'
    },
  }
}
