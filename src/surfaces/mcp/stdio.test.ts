import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StdioTransport } from './stdio.ts'

test('what its client called off is not waited for when it leaves', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const input = new PassThrough()
  const transport = new StdioTransport(input, new PassThrough())
  const heard: string[] = []
  transport.onmessage = message => void heard.push('method' in message ? message.method : '')
  const closed = new Promise<void>(resolve => {
    transport.onclose = resolve
  })
  await transport.start()
  const lines = [
    { id: 1, method: 'ping' },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
  ]
  input.end(lines.map(line => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''))
  await closed
  expect(heard).toEqual(['ping', 'notifications/cancelled'])
})
