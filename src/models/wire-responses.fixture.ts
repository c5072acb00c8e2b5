import {
  argumentPieces,
  argumentText,
  callId,
  pieces,
  type Reply,
  stopOf,
  usageOfReply,
  type Wire,
  type WireRequest,
} from './wire-reply.fixture.ts'

/** OpenAI's Responses API, which `@ai-sdk/openai` speaks unless told otherwise, and xAI's, which is told the same. */
export const responsesWire: Wire = {
  stream(reply, request) {
    const content = [
      frame({ type: 'response.created', response: { ...head(request, 'in_progress'), output: [] } }),
    ]
    for (const [output_index, item] of items(reply, request).entries())
      content.push(...itemFrames(item, output_index, reply))
    const { stop, response } = ending(reply, request)
    return { content, finish: [frame({ type: `response.${stop}`, response })] }
  },

  whole: (reply, request) => ending(reply, request).response,

  errorFrame: (code, message) => frame({ type: 'error', code, message, param: null, sequence_number: 1 }),
  errorBody: (type, message) => ({ error: { message, type, param: null, code: type } }),
}

type Item =
  | { type: 'reasoning'; id: string; status: string; summary: Array<{ type: 'summary_text'; text: string }> }
  | { type: 'message'; id: string; role: 'assistant'; status: string; content: Array<{ text: string }> }
  | { type: 'function_call'; id: string; call_id: string; name: string; arguments: string; status: string }

function items(reply: Reply, request: WireRequest): Item[] {
  const status = 'completed'
  const part = (text: string) => ({ type: 'output_text', text, annotations: [] })
  return [
    ...(reply.thinking === undefined
      ? []
      : [
          {
            type: 'reasoning' as const,
            id: 'rs_fake',
            status,
            summary: [{ type: 'summary_text' as const, text: reply.thinking }],
          },
        ]),
    ...(reply.text === undefined
      ? []
      : [
          {
            type: 'message' as const,
            id: 'msg_fake',
            role: 'assistant' as const,
            status,
            content: [part(reply.text)],
          },
        ]),
    ...(reply.calls ?? []).map(({ id, name, input }, at) => ({
      type: 'function_call' as const,
      id: callId('fc', request, at),
      call_id: id ?? callId('call', request, at),
      name,
      arguments: argumentText(input, reply.fault),
      status,
    })),
  ]
}

function itemFrames(item: Item, output_index: number, reply: Reply): string[] {
  const at = { item_id: item.id, output_index }
  const opened = { reasoning: { summary: [] }, message: { content: [] }, function_call: { arguments: '' } }
  const added = frame({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...opened[item.type] },
  })
  return [added, ...deltas(), frame({ type: 'response.output_item.done', output_index, item })]

  function deltas(): string[] {
    if (item.type === 'reasoning') {
      const [{ text } = { text: '' }] = item.summary
      const part = { type: 'summary_text', text: '' }
      return [
        frame({ type: 'response.reasoning_summary_part.added', ...at, summary_index: 0, part }),
        ...pieces(text).map(delta =>
          frame({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta }),
        ),
        frame({ type: 'response.reasoning_summary_part.done', ...at, summary_index: 0, part }),
      ]
    }
    if (item.type === 'message')
      return pieces(item.content[0]?.text ?? '').map(delta =>
        frame({ type: 'response.output_text.delta', ...at, content_index: 0, delta }),
      )
    const input = reply.calls?.find(({ name }) => name === item.name)?.input
    return [
      ...argumentPieces(input, reply.fault).map(delta =>
        frame({ type: 'response.function_call_arguments.delta', ...at, delta }),
      ),
      frame({ type: 'response.function_call_arguments.done', ...at, arguments: item.arguments }),
    ]
  }
}

const INCOMPLETE: Partial<Record<ReturnType<typeof stopOf>, string>> = {
  length: 'max_output_tokens',
  filter: 'content_filter',
}

function ending(reply: Reply, request: WireRequest) {
  const reason = INCOMPLETE[stopOf(reply)]
  const stop = reason ? 'incomplete' : 'completed'
  const { input, output, cacheRead } = usageOfReply(reply)
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  const incomplete_details = reason ? { reason } : null
  const response = { ...head(request, stop), output: items(reply, request), incomplete_details, usage }
  return { stop, response }
}

function head(request: WireRequest, status: string) {
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 1_760_000_000,
    model: request.body.model,
    status,
    error: null,
  }
}

function frame(event: { type: string; [more: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
