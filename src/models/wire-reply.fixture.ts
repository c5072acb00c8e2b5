/** What the fake provider is told to answer, in no provider's own words. */
export interface Reply {
  text?: string
  thinking?: string
  calls?: ReadonlyArray<{ id?: string; name: string; input: unknown }>
  /** `tools` when there are calls, else `end`. */
  stop?: 'end' | 'length' | 'tools' | 'filter'
  usage?: ReplyUsage
  fault?: Fault
}

/** `input` is the whole prompt, from the cache and to the cache included. */
export interface ReplyUsage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
}

/**
 * What goes wrong. Numbers of events count the frames of a stream; without one, the fault comes after all content
 * and before the frames that finish the reply.
 */
export type Fault =
  /** An answer that is an error. `type` and `message` are put as the provider would; `body` is sent as it stands. */
  | { status: number; type?: string; message?: string; headers?: Record<string, string>; body?: string }
  /** The port is closed for so many milliseconds, from the moment at which this reply is the next. */
  | { refuse: number }
  /** The connection is cut: before the headers, after so many events, or before the end. */
  | { dropAfter: number | 'request' | 'content' }
  /** An error in the stream, after so many events; the stream ends with it. */
  | { errorEvent: string; message?: string; after?: number }
  /** The stream ends as if nothing were wrong, after so many events. */
  | { earlyEnd: number | 'content' }
  /** Silence, from the start or after so many events, until the client goes away. */
  | { stall: number | 'request' | 'content' }
  /** Silence after so many events, for as long as somebody wants; the rest follows. */
  | { pauseAfter: number; until: Promise<unknown> }
  /** One event every so many milliseconds. */
  | { trickle: number }
  /** What stands in place of the tool calls' arguments. */
  | { badJson: string }
  /** An event that is no JSON, after so many events; the rest follows. */
  | { garbage: number | 'content' }

export interface Stream {
  content: string[]
  /** What a client needs to see to know that the reply is whole. */
  finish: string[]
}

/** One provider's language. */
export interface Wire {
  stream(reply: Reply, request: WireRequest): Stream
  /** The whole reply at once. */
  whole(reply: Reply, request: WireRequest): unknown
  errorFrame(type: string, message: string): string
  errorBody(type: string, message: string, status: number): unknown
}

export interface WireRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  /** The body byte for byte. */
  text: string
  /** When it arrived, in milliseconds. */
  at: number
  /** How many came before. */
  n: number
}

/** Text in pieces, as models send it. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

const ARGUMENT_PIECE = 8

/** A call's arguments in pieces; never none, so that each call has an event of its own. */
export function argumentPieces(input: unknown, fault: Fault | undefined): string[] {
  const text = argumentText(input, fault)
  const found = text.match(new RegExp(`[\\s\\S]{1,${ARGUMENT_PIECE}}`, 'g'))
  return found ?? ['']
}

export function argumentText(input: unknown, fault: Fault | undefined): string {
  return fault && 'badJson' in fault ? fault.badJson : JSON.stringify(input)
}

export function stopOf({ stop, calls = [] }: Reply): 'end' | 'length' | 'tools' | 'filter' {
  return stop ?? (calls.length > 0 ? 'tools' : 'end')
}

/** Figures that tests can expect when they do not care. */
export function usageOfReply({ usage = {} }: Reply): Required<ReplyUsage> {
  return { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, ...usage }
}

/** Ids that are the same in every run, and differ between calls and between requests. */
export function callId(prefix: string, { n }: WireRequest, at: number): string {
  return `${prefix}_${n}_${at}`
}
