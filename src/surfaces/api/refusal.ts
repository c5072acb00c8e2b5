/** What goes wrong, in the form in which OpenAI's clients read it. */
import { ReverieError } from '../../store/index.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** A request that is not answered, and what its client is told. */
export class Refusal extends ReverieError {
  readonly status: RefusalStatus
  readonly code: string
  readonly param: string | null
  /** Seconds until it may ask again. */
  readonly after: number | undefined

  constructor(
    status: RefusalStatus,
    code: string,
    message: string,
    { param = null, after }: { param?: string | null; after?: number } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.after = after
  }
}

const TYPES: Partial<Record<RefusalStatus, string>> = {
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
}

export function refusalBody({ status, code, message, param }: Refusal): object {
  return { error: { message, type: TYPES[status] ?? 'invalid_request_error', param, code } }
}

export function refusalResponse(refusal: Refusal): Response {
  const { status, after } = refusal
  const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': String(after) }
  // What is still on its way is not waited for.
  if (status === 413) headers.connection = 'close'
  // The agent has tried again by itself as often as makes sense; asked again it would do everything once more.
  if (status >= 500 || refusal.code === 'insufficient_quota') headers['x-should-retry'] = 'false'
  return Response.json(refusalBody(refusal), { status, headers })
}
