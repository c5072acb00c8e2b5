/** Who may ask over HTTP from this machine. */
import type { MiddlewareHandler } from 'hono'

/**
 * Lets in who shows what is asked for. A page that somebody has open in a browser is kept out even so: whatever name
 * it gave this address, it says where it comes from.
 */
export function bearerOnly(isKnown: (token: string) => boolean): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin')
    if (origin !== undefined && !isLocal(origin))
      return context.json(errorForm('Pages of other sites cannot ask here.', 'foreign_origin'), 403)
    const [, token] = /^Bearer\s+(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (token !== undefined && isKnown(token)) return next()
    const message =
      token === undefined
        ? 'A key is missing: send `Authorization: Bearer KEY`. `reverie keys create NAME` makes one.'
        : 'This key is not known, or was revoked. `reverie keys create NAME` makes a new one.'
    return context.json(errorForm(message, 'invalid_api_key'), 401, { 'WWW-Authenticate': 'Bearer' })
  }
}

/** As clients of OpenAI's read it; others are content with the sentence. */
function errorForm(message: string, code: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code } }
}

function isLocal(origin: string): boolean {
  try {
    return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname)
  } catch {
    return false
  }
}
