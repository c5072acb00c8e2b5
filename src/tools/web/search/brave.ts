import { z } from 'zod'
import type { Engine } from './engine.ts'

const ADDRESS = 'https://api.search.brave.com/res/v1/web/search'

const answer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          title: z.string().catch(''),
          url: z.string(),
          description: z.string().catch(''),
          age: z.string().optional().catch(undefined),
          page_age: z.string().optional().catch(undefined),
        }),
      ),
    })
    // Left out when nothing was found.
    .optional(),
})

/** Brave Search: https://api-dashboard.search.brave.com/app/documentation. */
export function braveEngine(key: string, base = ADDRESS): Engine {
  return {
    name: 'Brave Search',
    address(query, count) {
      const url = new URL(base)
      url.search = `${new URLSearchParams({ q: query, count: String(count) })}`
      return url
    },
    headers: { 'x-subscription-token': key },
    results: body =>
      (answer.parse(body).web?.results ?? []).map(({ title, url, description, age, page_age }) => ({
        title,
        url,
        snippet: description,
        age: age ?? page_age,
      })),
    advice(status) {
      // A wrong key is answered with 422, as a query too long is.
      if ([401, 403, 422].includes(status))
        return 'Check web.braveKey (or BRAVE_API_KEY), and that the query has at most 400 characters and 50 words.'
      return status === 429
        ? 'The plan allows no more searches now. Wait, or use another engine.'
        : 'Try again later.'
    },
  }
}
