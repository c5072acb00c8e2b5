/** One request to the model: what it says as it says it, and how it ended. */
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { describeFailure, type Failure, type OpenedModel, StreamEnded, usageOf } from '../models/index.ts'
import { type Part, type Stop, toolCallsOf, type Usage } from '../session/index.ts'
import { type Conversation, toPrompt } from './prompt-form.ts'
import { type ReplyListener, ReplyParts } from './reply-parts.ts'
import { Watchdog } from './watchdog.ts'

export interface ModelRequest extends Conversation {
  model: OpenedModel
  tools: readonly LanguageModelV4FunctionTool[]
  maxOutput: number
  /** Asks for all of the reply at once, where a stream has fallen silent before. */
  whole: boolean
  signal: AbortSignal
  /** The reply is JSON of this form. */
  json?: JSONSchema7
  /** How long nothing may come of a stream; a whole reply is given `WHOLE_PATIENCE` times as long. */
  idleMs: number
}

export type Reply =
  | { kind: 'reply'; parts: Part[]; usage: Usage; stop: Stop }
  | { kind: 'failure'; parts: Part[]; usage?: Usage; failure: Failure }
  | { kind: 'idle'; parts: Part[] }
  | { kind: 'interrupted'; parts: Part[] }

/** All of a reply takes longer than its next piece. (`fetch` itself does not wait longer than 300 s.) */
const WHOLE_PATIENCE = 3

export async function askModel(request: ModelRequest, listener: ReplyListener): Promise<Reply> {
  const { whole, idleMs, signal, model, messages } = request
  const parts = new ReplyParts(listener, messages.flatMap(toolCallsOf))
  const watchdog = new Watchdog(whole ? idleMs * WHOLE_PATIENCE : idleMs, signal)
  try {
    return whole ? await askForAll(request, parts, watchdog) : await stream(request, parts, watchdog)
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted', parts: parts.soFar() }
    if (watchdog.barked) return { kind: 'idle', parts: parts.soFar() }
    return { kind: 'failure', parts: parts.soFar(), failure: describeFailure(error, model.provider) }
  } finally {
    watchdog.stop()
  }
}

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>

async function stream(request: ModelRequest, parts: ReplyParts, watchdog: Watchdog): Promise<Reply> {
  const { model } = request.model
  const { stream } = await watchdog.race(() => model.doStream(callOptions(request, watchdog.signal)))
  const reader = stream.getReader()
  let leave = (rest: Reader) => rest.cancel()
  try {
    for (;;) {
      const { done, value } = await watchdog.race(() => reader.read())
      if (done) throw new StreamEnded()
      watchdog.pat()
      // What follows an error may lack a piece, in the arguments of a call too, and look whole.
      if (value.type === 'error') throw value.error
      if (value.type === 'finish') {
        leave = readToEnd
        return finished(request, parts, value.finishReason, value.usage)
      }
      parts.take(value)
    }
  } finally {
    leave(reader).catch(() => {}) // nobody waits for the rest
  }
}

/** The end of a stream follows its last event at once, or not at all. */
const END_COMES_WITHIN_MS = 1_000

/** Only a connection that was read to its end can serve the next request. */
async function readToEnd(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), END_COMES_WITHIN_MS).unref()
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer)
  }
}

async function askForAll(request: ModelRequest, parts: ReplyParts, watchdog: Watchdog): Promise<Reply> {
  const { model } = request.model
  const { content, finishReason, usage } = await watchdog.race(() =>
    model.doGenerate(callOptions(request, watchdog.signal)),
  )
  for (const part of content) parts.takeWhole(part)
  return finished(request, parts, finishReason, usage)
}

type Finish = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage'>

function finished(
  { model }: ModelRequest,
  parts: ReplyParts,
  { unified, raw }: Finish['finishReason'],
  reported: Finish['usage'],
): Reply {
  const usage = usageOf(reported, model.price)
  // Some SDKs finish without a reason when the connection was closed early: what came may be half of it.
  const isCut = unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined)
  if (isCut) throw new StreamEnded()
  if (unified === 'content-filter') {
    const message = `${model.id} would not answer this. Say it differently, or choose another model with /model.`
    return {
      kind: 'failure',
      parts: parts.soFar(),
      usage,
      failure: { kind: 'content-filter', message, provider: model.provider },
    }
  }
  // How xAI's says, when it is asked for all at once, that a reply was cut.
  if (unified === 'length' || raw === 'incomplete')
    return { kind: 'reply', parts: parts.soFar(), usage, stop: 'length' }
  const all = parts.all()
  const calls = all.some(({ type }) => type === 'tool-call')
  return { kind: 'reply', parts: all, usage, stop: calls ? 'tools' : 'end' }
}

/** Each provider reads its own. */
const PROVIDER_OPTIONS: SharedV4ProviderOptions = {
  // Signs of life while a model thinks in silence.
  anthropic: { includePings: true },
  // What is said here is nobody's to keep; without this they store it.
  openai: { store: false },
  xai: { store: false },
}

function callOptions(request: ModelRequest, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  const { model, tools, maxOutput, json } = request
  return {
    prompt: toPrompt(request, model),
    maxOutputTokens: maxOutput,
    abortSignal,
    ...(tools.length > 0 && { tools: [...tools] }),
    ...(json && { responseFormat: { type: 'json', schema: json } }),
    providerOptions: PROVIDER_OPTIONS,
  }
}
