/** Answers in the form of chat completions, whole and in chunks. */
import type { Usage } from '../../session/index.ts'

export interface CompletionHead {
  id: string
  /** Seconds. */
  created: number
  /** As it was asked for. */
  model: string
}

export type FinishReason = 'stop' | 'length'

function usageForm({ input, output, cacheRead }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  }
}

export function completion(head: CompletionHead, text: string, finish: FinishReason, usage: Usage): object {
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: usageForm(usage),
  }
}

export function chunk(
  head: CompletionHead,
  delta: { role?: 'assistant'; content?: string },
  finish: FinishReason | null = null,
): object {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  }
}

/** The last one, for whoever asked for it. */
export function usageChunk(head: CompletionHead, usage: Usage): object {
  return { ...head, object: 'chat.completion.chunk', choices: [], usage: usageForm(usage) }
}
