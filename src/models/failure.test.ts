import { APICallError, JSONParseError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { describeFailure, type FailureKind, StreamEnded } from './failure.ts'

const KEY = 'sk-ant-api03-Zm9vYmFyYmF6cXV4'
const NOW = Date.parse('2026-11-18T10:00:00Z')

/** As the SDK makes them of an answer; `body` is what the provider sent. */
function answer(
  statusCode: number,
  body: unknown,
  responseHeaders: Record<string, string> = {},
): APICallError {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
  return new APICallError({
    message: 'Bad Request',
    url: 'https://provider.example/v1?key=hidden',
    requestBodyValues: { prompt: 'prompt is too long', key: KEY },
    statusCode,
    responseHeaders,
    responseBody,
  })
}

const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

test.each<[string, number, unknown, FailureKind]>([
  ['Anthropic', 400, error('prompt is too long: 210000 tokens > 200000 maximum'), 'too-long'],
  ['Anthropic', 413, error('Request exceeds the maximum size', { type: 'request_too_large' }), 'too-long'],
  ['Anthropic', 400, error('input length and `max_tokens` exceed context limit: 1 + 2 > 2'), 'too-long'],
  [
    'OpenAI',
    400,
    error("This model's maximum context length is 128000 tokens. However, your messages resulted in 130000."),
    'too-long',
  ],
  ['OpenAI', 400, error('Too much.', { code: 'context_length_exceeded' }), 'too-long'],
  ['OpenAI', 400, error('Your input exceeds the context window of this model.'), 'too-long'],
  [
    'OpenAI',
    429,
    error('Request too large for gpt-x on tokens per min (TPM): Limit 1, Requested 2'),
    'too-long',
  ],
  [
    'Google',
    400,
    error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    'too-long',
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }, 'too-long'],
  ['Ollama', 500, { error: 'the input length exceeds the context length' }, 'too-long'],
  ['llama.cpp', 400, error('the request exceeds the available context size'), 'too-long'],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message: 'The decoder prompt (length 9) is longer than the maximum model length of 8',
    },
    'too-long',
  ],
  [
    'xAI',
    400,
    {
      code: 'x',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    'too-long',
  ],
  ['OpenRouter', 400, error("This endpoint's maximum context length is 8192 tokens."), 'too-long'],
  ['Anthropic', 400, error('messages.0.content.1.image: image exceeds 5 MB maximum: 6 > 5'), 'image-refused'],
  ['Anthropic', 400, error('Could not process image'), 'image-refused'],
  [
    'Anthropic',
    400,
    error(
      'messages.0.content.1.image.source.base64.data: The image was specified using the image/jpeg media type, but the image appears to be a image/png image',
    ),
    'image-refused',
  ],
  ['OpenAI', 400, error('The image data you provided does not represent a valid image.'), 'image-refused'],
  [
    'OpenAI',
    400,
    error('Invalid content type. image_url is only supported by certain models.'),
    'image-refused',
  ],
  ['Google', 400, error('Unable to process input image. Please retry.'), 'image-refused'],
  ['DeepSeek', 400, error('unknown variant `image_url`, expected `text`'), 'image-refused'],
  ['OpenRouter', 404, error('No endpoints found that support image input'), 'image-refused'],
  ['Anthropic', 413, error('image dimensions exceed max allowed size: 8000 pixels'), 'image-refused'],
  ['Anthropic', 400, error('Your credit balance is too low to access the Anthropic API.'), 'forbidden'],
  ['OpenAI', 429, error('You exceeded your current quota', { code: 'insufficient_quota' }), 'forbidden'],
  ['DeepSeek', 402, error('Insufficient Balance'), 'forbidden'],
  [
    'Google',
    429,
    error('You exceeded your current quota', { status: 'RESOURCE_EXHAUSTED', details: 'PerDayPerProject' }),
    'forbidden',
  ],
  [
    'Google',
    429,
    error('You exceeded your current quota', { status: 'RESOURCE_EXHAUSTED', details: 'PerMinute' }),
    'rate-limit',
  ],
  ['Bedrock', 429, { message: 'Too many tokens, please wait before trying again.' }, 'rate-limit'],
  ['anyone', 429, 'slow down', 'rate-limit'],
  ['Anthropic', 529, error('Overloaded', { type: 'overloaded_error' }), 'overloaded'],
  ['Google', 503, error('The model is overloaded. Please try again later.'), 'overloaded'],
  ['OpenAI', 503, error('Slow down', { code: 'slow_down' }), 'overloaded'],
  ['a proxy', 502, '<html>Bad gateway</html>', 'server'],
  ['anyone', 409, '', 'server'],
  ['anyone', 408, error('Timed out', { type: 'api_error' }), 'timeout'],
  ['a proxy', 504, '', 'timeout'],
  ['OpenAI', 401, error(`Incorrect API key provided: ${KEY}.`, { code: 'invalid_api_key' }), 'unauthorised'],
  ['Google', 400, error('API key not valid. Please pass a valid API key.'), 'unauthorised'],
  [
    'xAI',
    400,
    { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz' },
    'unauthorised',
  ],
  ['AWS', 403, { message: 'The security token included in the request is invalid.' }, 'unauthorised'],
  ['OpenAI', 403, error('Country not supported', { code: 'unsupported_country' }), 'forbidden'],
  ['Anthropic', 404, error('model: claude-x', { type: 'not_found_error' }), 'not-found'],
  ['Ollama', 404, { error: 'model "qwen" not found, try pulling it first' }, 'not-found'],
  ['OpenRouter', 400, error('made/up is not a valid model ID', { code: 400 }), 'not-found'],
  ['Anthropic', 400, error('Output blocked by content filtering policy'), 'content-filter'],
  ['OpenAI', 400, error('Invalid prompt: flagged as violating our usage policy.'), 'content-filter'],
  [
    'Anthropic',
    400,
    error('messages: roles must alternate', { type: 'invalid_request_error' }),
    'bad-request',
  ],
  ['anyone', 422, '', 'bad-request'],
  // OpenRouter answers 200 and puts the error into the body.
  ['OpenRouter', 200, error('Rate limited', { code: 429 }), 'rate-limit'],
  ['anyone', 200, '{"id": "half a rep', 'stream-broken'],
])('%s, %i %j is %s', (_, status, body, kind) => {
  const failure = describeFailure(answer(status, body), 'openai', NOW)
  expect(failure).toMatchObject({ kind, provider: 'openai' })
  expect(failure.message).toMatch(/\.$/)
  expect(failure.message).not.toMatch(/Zm9v|hidden|\n/)
})

const caused = (code: string) =>
  new APICallError({
    message: `Cannot connect to API: ${code}`,
    url: 'https://provider.example',
    requestBodyValues: {},
    cause: Object.assign(new Error(code), { code }),
  })

test.each<[string, unknown, FailureKind]>([
  ['a refused connection', caused('ECONNREFUSED'), 'network'],
  ['a name that is not found', caused('ENOTFOUND'), 'network'],
  ['a socket that was closed', caused('UND_ERR_SOCKET'), 'network'],
  ['a connection that takes too long', caused('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
  ['fetch itself', new TypeError('fetch failed', { cause: caused('EAI_AGAIN') }), 'network'],
  ['a cut', new TypeError('terminated'), 'stream-broken'],
  ['a watchdog', new DOMException('idle', 'TimeoutError'), 'timeout'],
  [
    // What it quotes is what the model said.
    'bad JSON in a stream',
    new JSONParseError({ text: 'prompt is too long', cause: new Error('x') }),
    'stream-broken',
  ],
  ['a stream that just ends', new StreamEnded(), 'stream-broken'],
  // Inside a stream errors are no Errors, and have as much of a status as the provider gives them.
  ['an error in a stream', { message: 'x', type: 'overloaded_error' }, 'overloaded'],
  ['an error with a status', { message: 'x', type: 'other', statusCode: 429 }, 'rate-limit'],
  ['a status as a code', { message: 'x', code: 502 }, 'server'],
  ['a general error in a stream', { message: 'x', type: 'api_error' }, 'server'],
  ['a throttled stream', { message: 'x', code: 'ThrottlingException' }, 'rate-limit'],
  ['a long prompt in a stream', { message: 'x', type: 'error', code: 'context_length_exceeded' }, 'too-long'],
  ['a raw event', { type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 'overloaded'],
  ['a string', 'it broke', 'unknown'],
  ['nothing', undefined, 'unknown'],
])('%s', (_, thrown, kind) => {
  expect(describeFailure(thrown, 'anthropic', NOW)).toMatchObject({
    kind,
    message: expect.stringMatching(/\.$/),
  })
})

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'Retry-After': '0' }, 0],
  [{ 'retry-after': 'Wed, 18 Nov 2026 10:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Wed, 18 Nov 2026 09:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{}, undefined],
])('%j asks to wait %s ms', (headers, expected) => {
  expect(describeFailure(answer(429, '', headers), 'x', NOW).retryAfterMs).toEqual(expected)
})

test('Google says in its answer how long to wait', () => {
  const body = { error: { message: 'x', details: [{ '@type': 'RetryInfo', retryDelay: '37.5s' }] } }
  expect(describeFailure(answer(429, body), 'google', NOW).retryAfterMs).toBe(37_500)
})

test('a message names the setting to change, and never a key', () => {
  const say = (status: number, body: unknown, provider = 'openai') =>
    describeFailure(answer(status, body), provider, NOW).message
  expect(say(401, error(`Incorrect API key provided: ${KEY}`))).toBe(
    'openai did not accept the key. Change it: export OPENAI_API_KEY=…, or run `reverie config set providers.openai.apiKey …`.',
  )
  expect(say(401, '', 'mine')).toContain('reverie config set providers.mine.apiKey')
  expect(say(404, error('model: gpt-x'))).toContain('reverie config set model PROVIDER/MODEL')
  expect(say(429, error('No.', { code: 'insufficient_quota' }))).toContain('nothing left to spend (429: No).')
  for (const secret of [
    KEY,
    'Bearer abcdef',
    'https://x.example/?key=AIzaSyA1234567890abcdef',
    'AIzaSyA1234567890abcdefghijk',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln',
    '0123456789abcdef0123456789abcdef',
  ])
    expect(say(400, error(`It was ${secret} that failed.`))).toMatch(/^openai .*\[key\].* that failed\)\.$/)
  expect(say(400, error('claude-haiku-4-5-20251001 is gone'))).toContain('claude-haiku-4-5-20251001')
  expect(say(500, error('a\u001b[2Jb\nc'))).toBe('openai failed (500: a [2Jb c).')
  expect(say(500, error('x'.repeat(5_000))).length).toBeLessThan(400)
})
