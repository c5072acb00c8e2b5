import { ownValue } from '../store/index.ts'
import { howToSetKey } from './connection.ts'
import { type FailureFacts, presentable, readFailure, retryAfter } from './failure-facts.ts'

/** What went wrong with a request to a model, in the terms in which it is dealt with (4-agent.md, "Recovery"). */
export type FailureKind =
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  | 'too-long'
  | 'unauthorised'
  | 'forbidden'
  | 'not-found'
  | 'bad-request'
  | 'stream-broken'
  | 'image-refused'
  | 'content-filter'
  | 'unknown'

export interface Failure {
  kind: FailureKind
  /** Of the answer; also that of an error inside a stream, where one was given. */
  status?: number
  /** How long the provider asks to wait. */
  retryAfterMs?: number
  /** One or two sentences for a person. No key is ever in it. */
  message: string
  provider: string
}

/** The provider closed the stream and did not say that it had finished. The SDK has no error of its own for it. */
export class StreamEnded extends Error {
  override name = 'StreamEnded'
}

/** Whatever comes out of the AI SDK, thrown or as an `error` part, as one of our failures. */
export function describeFailure(error: unknown, provider: string, now = Date.now()): Failure {
  const facts = readFailure(error)
  const kind = kindOf(facts)
  const retryAfterMs = retryAfter(facts, now)
  return {
    kind: kind === 'no-credit' ? 'forbidden' : kind,
    ...(facts.status !== undefined && { status: facts.status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    message: sentence(kind, facts, provider),
    provider,
  }
}

/** An account with nothing left is forbidden to go on; waiting does not help, so it is never a rate limit. */
type Kind = FailureKind | 'no-credit'

function kindOf(facts: FailureFacts): Kind {
  const { name, status, causes } = facts
  if (BROKEN_STREAM.has(name) || (status !== undefined && status < 400)) return 'stream-broken'
  const complaint = complaintOf(facts)
  if (complaint) return complaint
  const labelled = facts.labels
    .map(label => ownValue(LABELS, label.toLowerCase()))
    .find(kind => kind !== undefined)
  if (labelled) return labelled
  if ((status === undefined || status >= 500) && /\boverloaded\b/i.test(facts.message)) return 'overloaded'
  if (status !== undefined) return ofStatus(status)
  if (facts.labels.some(label => SERVER_LABEL.test(label))) return 'server'
  return ownValue(NAMES, name) ?? ofCauses(causes)
}

/** The stream was there, and what came was not a reply. What such an error quotes is the model's own text. */
const BROKEN_STREAM: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_NoContentGeneratedError',
  'AI_EmptyResponseBodyError',
  'StreamEnded',
])

const IMAGE = /image[^.]{0,80}(exceed|too large|too big|larger than|maximum)|image_too_large/i

/** One that is broken, or of a kind that this model does not look at: asked again with it, each later request would fail as well. */
const IMAGE_REFUSED = new RegExp(
  [
    '(could not|unable to) process [^.]{0,20}image',
    '(unsupported|invalid)[^.]{0,40}image',
    'image[^.]{0,80}(not valid|not represent|appears to be|only supported|not supported)',
    'support image input',
    'unknown variant .?image_url',
    'not a multimodal model',
  ].join('|'),
  'i',
)
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 404, 422])

/** Anthropic, OpenAI, Google, Bedrock, xAI, vLLM, llama.cpp and Ollama, OpenRouter and others, in this order. */
const TOO_LONG = new RegExp(
  [
    'prompt is too long',
    'request_too_large',
    'exceed context limit',
    'context_length_exceeded',
    'maximum context length',
    'exceeds the context window',
    'request too large for', // a limit per minute that is smaller than the one request
    'exceeds the maximum number of tokens',
    'input is too long',
    'input tokens exceed',
    'maximum prompt length',
    'longer than the maximum model length',
    "model's context length is only",
    'exceeds? the available context size',
    'exceed_context_size',
    'exceeds (the |maximum )*context length',
    'exceeded max context length',
    'context window exceeded',
  ].join('|'),
  'i',
)

const NO_CREDIT =
  /insufficient[_ ](quota|balance|credits?|funds)|credit balance is too low|billing_(error|hard_limit_reached|not_active)|out of credits|used all available credits|payment required/i

/** Google says of every limit that it is the "current quota"; only one of a whole day is as good as none. */
const NO_QUOTA_TODAY = /PerDay/

const BAD_KEY =
  /api key not valid|API_KEY_INVALID|(incorrect|invalid) api key|invalid x-api-key|security token included in the request is (invalid|expired)/i

const FILTERED =
  /content[_ ]filter|content[_ ]policy|content management policy|content filtering policy|PROHIBITED_CONTENT|usage policy|usage policies|data_inspection_failed/i

const NO_MODEL = /model_not_found|not a valid model id|model [^.]{0,80}(does not exist|not found)/i

/** What the provider's own words say. They are more exact than the status, which differs between providers. */
function complaintOf({ status, message, labels, body }: FailureFacts): Kind | undefined {
  const words = [message, ...labels, body].join('\n')
  if (IMAGE.test(words) || (REFUSALS.has(status) && IMAGE_REFUSED.test(words))) return 'image-refused'
  if (TOO_LONG.test(words) || status === 413) return 'too-long'
  if (NO_CREDIT.test(words) || status === 402) return 'no-credit'
  if (status === 429 && NO_QUOTA_TODAY.test(body)) return 'no-credit'
  if (BAD_KEY.test(words)) return 'unauthorised'
  if (status !== undefined && status < 500 && NO_MODEL.test(words)) return 'not-found'
  return FILTERED.test(words) ? 'content-filter' : undefined
}

/** The providers' names for errors, as far as they say more than the status. */
const LABELS: Readonly<Record<string, Kind | undefined>> = {
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  too_many_requests: 'rate-limit',
  resource_exhausted: 'rate-limit',
  throttlingexception: 'rate-limit',
  authentication_error: 'unauthorised',
  invalid_api_key: 'unauthorised',
  unrecognizedclientexception: 'unauthorised',
  permission_error: 'forbidden',
  permission_denied: 'forbidden',
  accessdeniedexception: 'forbidden',
  not_found_error: 'not-found',
  resourcenotfoundexception: 'not-found',
  timeout_error: 'timeout',
  deadline_exceeded: 'timeout',
  modeltimeoutexception: 'timeout',
}

/** Inside a stream, where there is no status, a name as general as `api_error` is all there is. */
const SERVER_LABEL = /^(api|server|internal_server)_error$|exception$/i

function ofStatus(status: number): Kind {
  if (status === 529) return 'overloaded'
  if (status === 408 || status === 504) return 'timeout'
  // A conflict (409) is about another request that is under way: trying again may help, as with 5xx.
  if (status >= 500 || status === 409) return 'server'
  const kinds: Record<number, Kind> = {
    401: 'unauthorised',
    403: 'forbidden',
    404: 'not-found',
    429: 'rate-limit',
  }
  return kinds[status] ?? 'bad-request'
}

const NAMES: Readonly<Record<string, Kind | undefined>> = {
  TimeoutError: 'timeout',
  AbortError: 'timeout',
  AI_LoadAPIKeyError: 'unauthorised',
  AI_NoSuchModelError: 'not-found',
  AI_InvalidPromptError: 'bad-request',
  AI_InvalidArgumentError: 'bad-request',
  AI_UnsupportedFunctionalityError: 'bad-request',
}

const TIMED_OUT = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError)$/
const UNREACHED =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|EHOST\w+|ENET\w+|UND_ERR_\w+|ERR_TLS_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|fetch failed)$/

function ofCauses(causes: readonly string[]): Kind {
  if (causes.some(cause => TIMED_OUT.test(cause))) return 'timeout'
  if (causes.includes('terminated')) return 'stream-broken'
  return causes.some(cause => UNREACHED.test(cause)) ? 'network' : 'unknown'
}

const OTHER_MODEL = 'set another model with `reverie config set model PROVIDER/MODEL`'

function sentence(kind: Kind, facts: FailureFacts, provider: string): string {
  const detail = detailOf(facts)
  switch (kind) {
    case 'rate-limit':
      return `${provider} limits how much it may be asked${detail}.`
    case 'overloaded':
      return `${provider} is overloaded${detail}.`
    case 'server':
      return `${provider} failed${detail}.`
    case 'timeout':
      return `${provider} took too long to answer${detail}.`
    case 'network':
      return `${provider} could not be reached${detail}. Check the network, and providers.${provider}.baseUrl if you set it.`
    case 'too-long':
      return `The conversation is longer than this model takes${detail}.`
    case 'unauthorised':
      // Without the provider's words: they may quote the key.
      return `${provider} did not accept the key. Change it: ${howToSetKey(provider)}.`
    case 'forbidden':
      return `${provider} does not allow this with your key${detail}. Use another key (${howToSetKey(provider)}), or ${OTHER_MODEL}.`
    case 'no-credit':
      return `Your account at ${provider} has nothing left to spend${detail}. Add credit there, or ${OTHER_MODEL}.`
    case 'not-found':
      return `${provider} does not have this model${detail}: ${OTHER_MODEL}, or correct providers.${provider}.baseUrl if you set it.`
    case 'bad-request':
      return `${provider} did not accept the request${detail}.`
    case 'stream-broken':
      return `The reply of ${provider} broke off.`
    case 'image-refused':
      return `${provider} did not take an image${detail}.`
    case 'content-filter':
      return `${provider} refused because of what was said${detail}.`
    case 'unknown':
      return `The request to ${provider} failed${detail}.`
  }
}

/** ` (429: slow down)`, or nothing when nothing is known. */
function detailOf({ status, message }: FailureFacts): string {
  const words = presentable(message).replace(/\.$/, '')
  const parts = [status === undefined ? '' : String(status), words].filter(part => part !== '')
  return parts.length > 0 ? ` (${parts.join(': ')})` : ''
}
