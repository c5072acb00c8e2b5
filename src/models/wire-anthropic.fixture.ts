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

const STOP = { end: 'end_turn', length: 'max_tokens', tools: 'tool_use', filter: 'refusal' }

/** Anthropic's Messages API. */
export const anthropicWire: Wire = {
  stream(reply, request) {
    const usage = wireUsage(reply)
    const content = [
      frame({ type: 'message_start', message: message(request, [], null, { ...usage, output_tokens: 1 }) }),
      frame({ type: 'ping' }),
    ]
    let index = 0
    const block = (start: object, deltas: object[]) => {
      content.push(frame({ type: 'content_block_start', index, content_block: start }))
      for (const delta of deltas) content.push(frame({ type: 'content_block_delta', index, delta }))
      content.push(frame({ type: 'content_block_stop', index }))
      index++
    }
    if (reply.thinking !== undefined)
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...pieces(reply.thinking).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: SIGNATURE },
      ])
    if (reply.text !== undefined)
      block(
        { type: 'text', text: '' },
        pieces(reply.text).map(text => ({ type: 'text_delta', text })),
      )
    for (const [at, { id, name, input }] of (reply.calls ?? []).entries())
      block(
        { type: 'tool_use', id: id ?? callId('toolu', request, at), name, input: {} },
        argumentPieces(input, reply.fault).map(partial_json => ({ type: 'input_json_delta', partial_json })),
      )
    const delta = { stop_reason: STOP[stopOf(reply)], stop_sequence: null }
    const finish = [frame({ type: 'message_delta', delta, usage }), frame({ type: 'message_stop' })]
    return { content, finish }
  },

  whole(reply, request) {
    const content = [
      ...(reply.thinking === undefined
        ? []
        : [{ type: 'thinking', thinking: reply.thinking, signature: SIGNATURE }]),
      ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
      ...(reply.calls ?? []).map(({ id, name, input }, at) => ({
        type: 'tool_use',
        id: id ?? callId('toolu', request, at),
        name,
        input: reply.fault && 'badJson' in reply.fault ? argumentText(input, reply.fault) : input,
      })),
    ]
    return message(request, content, STOP[stopOf(reply)], wireUsage(reply))
  },

  errorFrame: (type, text) => frame({ type: 'error', error: { type, message: text } }),
  errorBody: (type, text) => ({ type: 'error', error: { type, message: text }, request_id: 'req_fake' }),
}

const SIGNATURE = 'c2lnbmF0dXJl'

function message(request: WireRequest, content: unknown[], stop_reason: string | null, usage: object) {
  const { model } = request.body
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  }
}

/** Anthropic counts what came from the cache, and what went there, apart from the rest of the prompt. */
function wireUsage(reply: Reply) {
  const { input, output, cacheRead, cacheWrite } = usageOfReply(reply)
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}

function frame(event: { type: string; [more: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
