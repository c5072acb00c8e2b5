/** The mind as a language model: the loop that runs any other model runs this one. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { type Call, nextStep, type Step } from './next-step.ts'

export interface EmbeddedOptions {
  /** The clock; tests bring their own. */
  now?: () => Date
}

/** About a word or two at a time, as other models stream. */
const DELTA_CHARACTERS = 12
const TEXT_ID = 'text-0'

/** A deterministic mind inside the program: no network, no key, no tokens. */
export function createEmbeddedModel({ now = () => new Date() }: EmbeddedOptions = {}): LanguageModelV4 {
  const stepFor = (options: LanguageModelV4CallOptions): Step => {
    options.abortSignal?.throwIfAborted()
    return nextStep(options.prompt, toolsIn(options), now())
  }
  return {
    specificationVersion: 'v4',
    provider: 'embedded',
    modelId: 'embedded',
    supportedUrls: {},
    async doGenerate(options) {
      const { text, calls } = stepFor(options)
      return {
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls.map(toolCall)],
        finishReason: finishReason(calls),
        usage: noTokens(),
        warnings: warningsFor(options),
      }
    },
    async doStream(options) {
      const parts = streamed(stepFor(options), warningsFor(options))
      return { stream: streamOf(parts, options.abortSignal) }
    },
  }
}

function toolsIn({ tools = [], toolChoice }: LanguageModelV4CallOptions): Set<string> {
  return new Set(toolChoice?.type === 'none' ? [] : tools.map(({ name }) => name))
}

function toolCall({ id, name, input }: Call): LanguageModelV4ToolCall {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
}

function finishReason(calls: readonly Call[]): LanguageModelV4FinishReason {
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  return { unified, raw: unified }
}

function noTokens(): LanguageModelV4Usage {
  return {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  }
}

/** Whoever asks for JSON gets sentences, and is told so. */
function warningsFor({ responseFormat }: LanguageModelV4CallOptions): SharedV4Warning[] {
  if (responseFormat?.type !== 'json') return []
  return [
    { type: 'unsupported', feature: 'responseFormat', details: 'The embedded mind answers in sentences.' },
  ]
}

function* streamed({ text, calls }: Step, warnings: SharedV4Warning[]): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings }
  if (text !== '') {
    yield { type: 'text-start', id: TEXT_ID }
    for (const delta of deltas(text)) yield { type: 'text-delta', id: TEXT_ID, delta }
    yield { type: 'text-end', id: TEXT_ID }
  }
  for (const call of calls) {
    const { toolCallId, toolName, input } = toolCall(call)
    yield { type: 'tool-input-start', id: toolCallId, toolName }
    yield { type: 'tool-input-delta', id: toolCallId, delta: input }
    yield { type: 'tool-input-end', id: toolCallId }
    yield toolCall(call)
  }
  yield { type: 'finish', usage: noTokens(), finishReason: finishReason(calls) }
}

/** Never in the middle of a character. */
function* deltas(text: string): Generator<string> {
  const characters = [...text]
  for (let at = 0; at < characters.length; at += DELTA_CHARACTERS)
    yield characters.slice(at, at + DELTA_CHARACTERS).join('')
}

function streamOf(
  parts: Generator<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason)
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      parts.return(undefined)
    },
  })
}
