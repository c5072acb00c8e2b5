import { pieces, type Reply, stopOf, usageOfReply, type Wire } from './wire-reply.fixture.ts'

const STOP = { end: 'STOP', length: 'MAX_TOKENS', tools: 'STOP', filter: 'SAFETY' }

/** Gemini's generateContent: a call comes whole, never in pieces. */
export const googleWire: Wire = {
  stream(reply, request) {
    const content = partsOf(reply).map(part => frame(chunk(request.path, [part])))
    return { content, finish: [frame(ending(reply, request.path, []))] }
  },
  whole: (reply, request) =>
    ending(
      reply,
      request.path,
      partsOf(reply, text => [text]),
    ),
  errorFrame: (type, message) => frame({ error: { code: 500, message, status: type } }),
  errorBody: (type, message, status) => ({ error: { code: status, message, status: type } }),
}

function partsOf({ thinking, text, calls = [] }: Reply, cut = pieces): object[] {
  return [
    ...(thinking === undefined ? [] : cut(thinking)).map(text => ({ text, thought: true })),
    ...(text === undefined ? [] : cut(text)).map(text => ({ text })),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ]
}

function chunk(path: string, parts: readonly object[]) {
  const [model] = /[^/]+(?=:\w+(?:\?|$))/.exec(path) ?? []
  return { candidates: [{ content: { role: 'model', parts }, index: 0 }], modelVersion: model }
}

function ending(reply: Reply, path: string, parts: readonly object[]) {
  const { input, output, cacheRead } = usageOfReply(reply)
  const { candidates, ...rest } = chunk(path, parts)
  return {
    ...rest,
    candidates: candidates.map(candidate => ({ ...candidate, finishReason: STOP[stopOf(reply)] })),
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      cachedContentTokenCount: cacheRead,
    },
  }
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`
}
