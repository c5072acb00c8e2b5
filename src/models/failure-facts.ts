/** What an error of the AI SDK tells, whatever its class. Read by shape: several copies of each class are installed. */
export interface FailureFacts {
  /** `AI_APICallError`, `TimeoutError`… */
  name: string
  /** In the provider's words where there are any, else the SDK's. */
  message: string
  status?: number
  /** What the provider calls the kind of error: `overloaded_error`, `context_length_exceeded`… */
  labels: string[]
  headers: Record<string, string>
  /** The answer's body, as far as it is worth looking at. */
  body: string
  /** The system's own codes (`ECONNREFUSED`) and names, from the error down to its first cause. */
  causes: string[]
}

/** An error body is a few lines; a page of HTML needs no more reading than this. */
const BODY_LOOKED_AT = 8_192

export function readFailure(error: unknown): FailureFacts {
  const found = unwrap(error)
  const fields = asRecord(found) ?? {}
  const body = typeof fields.responseBody === 'string' ? fields.responseBody.slice(0, BODY_LOOKED_AT) : ''
  const answer = errorInBody(body)
  const status = statusOf(fields, answer)
  return {
    name: text(fields.name) ?? '',
    message: answer.message ?? text(fields.message) ?? (typeof found === 'string' ? found : ''),
    ...(status !== undefined && { status }),
    labels: [fields.type, fields.code, asRecord(fields.error)?.type, ...answer.labels].flatMap(label =>
      typeof label === 'string' ? [label] : [],
    ),
    headers: lowerCased(asRecord(fields.responseHeaders) ?? {}),
    body,
    causes: causesOf(found),
  }
}

/** The error itself, where a raw event of a stream came in its place: {type: 'error', error: {…}}. */
function unwrap(error: unknown): unknown {
  const fields = asRecord(error)
  return fields && !(error instanceof Error) && asRecord(fields.error)?.message ? fields.error : error
}

/** Some servers answer 200 and put the error, with its status, into the body; or into the stream, as its code. */
function statusOf(fields: Record<string, unknown>, answer: ErrorInBody): number | undefined {
  const status = typeof fields.statusCode === 'number' ? fields.statusCode : asStatus(fields.code)
  if (status === undefined || status >= 400 || answer.message === undefined) return status
  return answer.status ?? 500
}

interface ErrorInBody {
  message?: string
  labels: unknown[]
  status?: number
}

/** `{error: {message, type, code}}`, `{error: "…"}`, `{message}`, `{detail}`: every server has its own way. */
function errorInBody(body: string): ErrorInBody {
  const answer = asRecord(parse(body))
  // Google answers a stream's error as a list of one.
  const outer = answer ?? asRecord((parse(body) as unknown[] | undefined)?.[0])
  if (!outer) return { labels: [] }
  const inner = asRecord(outer.error)
  const message = text(inner?.message) ?? text(outer.error) ?? text(outer.message) ?? text(outer.detail)
  const { code } = inner ?? outer
  const status = asStatus(code)
  return {
    ...(message !== undefined && { message }),
    labels: [inner?.type, inner?.code, inner?.status, outer.type, outer.code],
    ...(status !== undefined && { status }),
  }
}

function asStatus(code: unknown): number | undefined {
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
}

const CAUSES_LOOKED_AT = 6

function causesOf(error: unknown): string[] {
  const found: string[] = []
  let cause: unknown = error
  for (let depth = 0; depth < CAUSES_LOOKED_AT; depth++) {
    const fields = asRecord(cause)
    if (!fields) break
    for (const label of [fields.code, fields.name, fields.message])
      if (typeof label === 'string') found.push(label)
    cause = fields.cause ?? (Array.isArray(fields.errors) ? fields.errors[0] : undefined)
  }
  return found
}

/**
 * How long the provider asks to wait, in milliseconds: `retry-after-ms`, `retry-after` as seconds or as a date, or
 * what Google puts into its answer (`"retryDelay": "37s"`).
 */
export function retryAfter({ headers, body }: FailureFacts, now: number): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] || Number.NaN)
  if (milliseconds >= 0) return milliseconds
  const value = headers['retry-after']
  if (value) {
    const seconds = Number(value)
    if (seconds >= 0) return Math.round(seconds * 1_000)
    // Only a date has letters; `Date.parse` makes one of a number, too.
    const until = /[a-z]/i.test(value) ? Date.parse(value) - now : Number.NaN
    if (!Number.isNaN(until)) return Math.max(0, until)
  }
  const [, delay] = /"retryDelay":\s*"([\d.]+)s"/.exec(body) ?? []
  return delay === undefined ? undefined : Math.round(Number(delay) * 1_000)
}

/** What looks like a key, by its beginning, its place or its shape. Models' names have dashes and stay. */
const SECRETS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Bearer|Basic)\s+[^\s"',]+/gi, '$1 [key]'],
  [/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1[key]'],
  [/\b(?:sk|pk|rk|xai|gsk|nvapi|hf|r8|csk|fw|pplx)[-_][\w*.-]{6,}/gi, '[key]'],
  [/\bAIza[\w-]{10,}/g, '[key]'],
  [/\b(?:AKIA|ASIA|ABSK)[\w+/=]{8,}/g, '[key]'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}/g, '[key]'],
  [/\b(?=\w*\d)(?=\w*[A-Za-z])\w{24,}\b/g, '[key]'],
]

/** Long enough to say what is wrong. */
const DETAIL_LENGTH = 300

/** A provider's words for a person: one line, not too long, nothing that steers a terminal or looks like a key. */
export function presentable(message: string): string {
  const line = message.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  const clean = SECRETS.reduce((sofar, [pattern, instead]) => sofar.replaceAll(pattern, instead), line)
  return clean.length > DETAIL_LENGTH ? `${clean.slice(0, DETAIL_LENGTH)}…` : clean
}

function lowerCased(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
