import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Every error is a sentence in the same place. */
export function refuse(context: Context, status: ContentfulStatusCode, error: string): Response {
  return context.json({ error }, status)
}
