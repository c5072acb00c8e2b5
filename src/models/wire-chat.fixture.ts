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

const STOP = { end: 'stop', length: 'length', tools: 'tool_calls', filter: 'content_filter' }

/** OpenAI's Chat Completions API, as every compatible server speaks it. */
export const chatWire: Wire = {
  stream(reply, request) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      frame({ ...head(request, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason }] })
    const content = [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.thinking ?? '').map(reasoning_content => chunk({ reasoning_content })),
      ...pieces(reply.text ?? '').map(text => chunk({ content: text })),
      ...calls(reply, request).flatMap(({ id, function: { name } }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...argumentPieces(reply.calls?.[index]?.input, reply.fault).map(text =>
          chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ]),
    ]
    const withUsage = request.body.stream_options?.include_usage === true
    const usage = frame({ ...head(request, 'chat.completion.chunk'), choices: [], usage: wireUsage(reply) })
    const finish = [chunk({}, STOP[stopOf(reply)]), ...(withUsage ? [usage] : []), 'data: [DONE]\n\n']
    return { content, finish }
  },

  whole(reply, request) {
    const message = {
      role: 'assistant',
      content: reply.text ?? null,
      ...(reply.thinking !== undefined && { reasoning_content: reply.thinking }),
      ...(reply.calls && { tool_calls: calls(reply, request) }),
    }
    return {
      ...head(request, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: STOP[stopOf(reply)] }],
      usage: wireUsage(reply),
    }
  },

  errorFrame: (type, message) => frame({ error: { message, type, param: null, code: type } }),
  errorBody: (type, message) => ({ error: { message, type, param: null, code: type } }),
}

function head(request: WireRequest, object: string) {
  return { id: 'chatcmpl-fake', object, created: 1_760_000_000, model: request.body.model }
}

function calls(reply: Reply, request: WireRequest) {
  return (reply.calls ?? []).map(({ id, name, input }, at) => ({
    id: id ?? callId('call', request, at),
    type: 'function',
    function: { name, arguments: argumentText(input, reply.fault) },
  }))
}

function wireUsage(reply: Reply) {
  const { input, output, cacheRead } = usageOfReply(reply)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  }
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
