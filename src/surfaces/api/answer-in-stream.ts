import { because } from '../../store/index.ts'
import { type CompletionHead, chunk, type FinishReason, usageChunk } from './completion.ts'
import { Refusal, refusalBody } from './refusal.ts'
import { ReplyText } from './reply-text.ts'

export interface StreamedAnswer {
  head: CompletionHead
  /** Aborted when the client has gone. */
  asking: AbortController
  includeUsage: boolean
  answer(reply: ReplyText): Promise<FinishReason>
}

/** How long a failure may take to be told as an error, and not in a stream that has begun well. */
const FIRST_SIGN_MS = 5_000
/** Whoever stands between must not take a long silence for an end. */
const SIGN_OF_LIFE_MS = 15_000

/** Answers with server-sent events, from the first words on. */
export async function answerInStream(options: StreamedAnswer): Promise<Response> {
  const { head, asking, includeUsage, answer } = options
  const encoder = new TextEncoder()
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  const send = (text: string) => sink?.enqueue(encoder.encode(text))
  const event = (value: object) => send(`data: ${JSON.stringify(value)}\n\n`)
  // Whoever asked for the usage finds it in every piece, and null before the last.
  const piece = (value: object) => event(includeUsage ? { ...value, usage: null } : value)
  let firstWords = () => {}
  const firstSign = new Promise<void>(resolve => {
    firstWords = resolve
  })
  // Both begin together: the stream keeps what is written before anybody reads it.
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller
      piece(chunk(head, { role: 'assistant', content: '' }))
    },
    cancel() {
      sink = undefined
      asking.abort()
    },
  })
  const reply = new ReplyText(text => {
    piece(chunk(head, { content: text }))
    firstWords()
  })
  const ended = answer(reply)
  await firstOf(ended, firstSign, FIRST_SIGN_MS)
  const alive = setInterval(() => send(': working\n\n'), SIGN_OF_LIFE_MS)
  void ended
    .then(
      finish => {
        piece(chunk(head, {}, finish))
        if (includeUsage) event(usageChunk(head, reply.usage))
        send('data: [DONE]\n\n')
      },
      error => event(refusalBody(asRefusal(error))),
    )
    .finally(() => {
      clearInterval(alive)
      sink?.close()
    })
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}

/** Throws what went wrong before there was anything to show. */
async function firstOf(ended: Promise<unknown>, sign: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([ended, sign, enough])
  } finally {
    clearTimeout(timer)
  }
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(500, 'failed', because(error))
}
