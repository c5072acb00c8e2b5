/** What a server at an address sends is read no further than this. */
import { ReverieError } from '../store/index.ts'

class TooMuch extends ReverieError {}

/** Of an answer that is one value, and of one event of a stream. */
const LONGEST_BYTES = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** `fetch`, with bodies that break off where they get too long. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const { body, status, statusText, headers } = response
  if (!body) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  let bytes = 0
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const end = isStream ? piece.lastIndexOf(NEWLINE) : -1
        bytes = end < 0 ? bytes + piece.length : piece.length - end
        if (bytes > LONGEST_BYTES) controller.error(new TooMuch('The server sent more than is read.'))
        else controller.enqueue(piece)
      },
    }),
  )
  const bounded = new Response(counted, { status, statusText, headers })
  // The SDK looks at where a redirect led.
  Object.defineProperty(bounded, 'url', { value: response.url })
  Object.defineProperty(bounded, 'redirected', { value: response.redirected })
  Object.defineProperty(bounded, 'type', { value: response.type })
  return bounded
}
