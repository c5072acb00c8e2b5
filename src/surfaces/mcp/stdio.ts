/**
 * Lines of JSON-RPC on standard input and output. The SDK's own transport says nothing to a line that it cannot read,
 * and does not notice that its client has gone; this one answers the first and ends with the second.
 */
import type { Readable, Writable } from 'node:stream'
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { because } from '../../store/index.ts'

/** Of one line. A memory may have 1 MB, and twice that when it is escaped. */
const LONGEST_LINE_BYTES = 8 * 1024 * 1024
/** How long what was asked last may take after the client has closed its end. */
const LAST_ANSWERS_MS = 5_000

const NEWLINE = 0x0a

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  #input: Readable
  #output: Writable
  #chunks: Buffer[] = []
  #bytes = 0
  /** The rest of a line that was too long. */
  #skipping = false
  #unanswered = new Set<RequestId>()
  #ended = false
  #closed = false
  #patience: NodeJS.Timeout | undefined

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData)
    this.#input.on('end', this.#onEnd)
    this.#input.on('close', this.#onEnd)
    this.#input.on('error', this.#onError)
    this.#output.on('error', this.#onGone)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
      this.#unanswered.delete(message.id ?? '')
    await this.#write(serializeMessage(message))
    if (this.#ended && this.#unanswered.size === 0) await this.close()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#patience)
    this.#input.off('data', this.#onData)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    this.#input.pause()
    this.onclose?.()
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(text, error => (error ? reject(error) : resolve()))
    })
  }

  #onData = (chunk: Buffer): void => {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at))
      this.#endLine()
      from = at + 1
    }
    this.#take(chunk.subarray(from))
  }

  #take(part: Buffer): void {
    if (this.#skipping || part.length === 0) return
    this.#chunks.push(part)
    this.#bytes += part.length
    if (this.#bytes <= LONGEST_LINE_BYTES) return
    this.#forget()
    this.#skipping = true
    this.#refuse(
      ErrorCode.InvalidRequest,
      `A message may have ${LONGEST_LINE_BYTES} bytes; this one has more.`,
    )
  }

  #endLine(): void {
    const skipped = this.#skipping
    const line = Buffer.concat(this.#chunks).toString('utf8').trim()
    this.#forget()
    this.#skipping = false
    if (!skipped && line !== '') this.#readLine(line)
  }

  #forget(): void {
    this.#chunks = []
    this.#bytes = 0
  }

  #readLine(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      this.#refuse(ErrorCode.ParseError, `This is not JSON: ${because(error)}`)
      return
    }
    const parsed = JSONRPCMessageSchema.safeParse(value)
    if (!parsed.success) {
      this.#refuse(ErrorCode.InvalidRequest, 'This is not a JSON-RPC 2.0 message.', idIn(value))
      return
    }
    const { data } = parsed
    if (isJSONRPCRequest(data)) this.#unanswered.add(data.id)
    // What was called off is not answered.
    if (isJSONRPCNotification(data) && data.method === 'notifications/cancelled')
      this.#unanswered.delete(data.params?.requestId as RequestId)
    this.onmessage?.(data)
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`).catch(this.#onGone)
  }

  /** What was asked before the client closed its end is answered still, if it does not take long. */
  #onEnd = (): void => {
    if (this.#ended) return
    this.#endLine()
    this.#ended = true
    if (this.#unanswered.size === 0) void this.close()
    else this.#patience = setTimeout(() => void this.close(), LAST_ANSWERS_MS)
  }

  #onError = (error: Error): void => {
    this.onerror?.(error)
    void this.close()
  }

  #onGone = (): void => void this.close()
}

function idIn(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
