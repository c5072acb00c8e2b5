/** Servers that do not play by the rules. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { expect, test } from 'vitest'
import { call, internet, rawSite, type Site, site } from './site.fixture.ts'
import type { Limits } from './visit.ts'
import { webTools } from './web-tools.ts'

function read(served: Site, limits: Partial<Limits> = {}, signal?: AbortSignal) {
  const { network } = internet({ 'site.example': served })
  const [tool] = webTools({ settings: { allowPrivate: [] }, env: {}, network, limits })
  return call(tool, { url: 'http://site.example/' }, signal)
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

test('a slow trickle ends in time, with what arrived', async () => {
  const served = await rawSite(async socket => {
    socket.write(`${HEAD}content-length: 100000\r\n\r\n`)
    while (!socket.destroyed) {
      socket.write('drop ')
      await sleep(20)
    }
  })
  const began = performance.now()
  const text = await read(served, { totalMs: 400, idleMs: 200 })
  const took = performance.now() - began
  expect(took, 'bytes are heard').toBeGreaterThan(350)
  expect(text).toContain('It came too slowly')
  expect(text).toContain('drop drop')
})

test.each([
  ['no byte at all', ''],
  ['half a status line', 'HTTP/1.1 20'],
  ['headers without end', HEAD],
  ['only hints of an answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)],
])('%s is given up after the idle time', async (_, sent) => {
  const served = await rawSite(socket => {
    socket.write(sent)
  })
  await expect(read(served, { idleMs: 150 })).rejects.toThrow('sent nothing for 0.15 s, and was given up')
})

test('silence in the middle of a body ends it', async () => {
  const served = await rawSite(socket => {
    socket.write(`${HEAD}content-length: 100\r\n\r\nbeginning`)
  })
  expect(await read(served, { idleMs: 150 })).toMatch(/only the first 9 bytes arrived[\s\S]*beginning/)
})

test('headers that never end are cut off', async () => {
  let sent = 0
  const served = await rawSite(async socket => {
    socket.write(HEAD)
    while (!socket.destroyed && sent < 50_000_000) {
      sent += 1_000
      if (!socket.write(`x-${sent}: ${'y'.repeat(1_000)}\r\n`)) await sleep(1)
    }
  })
  await expect(read(served)).rejects.toThrow('the headers of its answer are too long')
  expect(sent).toBeLessThan(10_000_000)
})

test.each([
  ['nothing', '', 'could not be reached'],
  ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'its answer is not HTTP'],
  ['two lengths', `${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`, 'its answer is not HTTP'],
])('%s for an answer is an error in words', async (_, answer, words) => {
  const served = await rawSite(socket => socket.end(answer))
  await expect(read(served)).rejects.toThrow(words)
})

test('a body shorter than it was said to be is shown as broken', async () => {
  const served = await rawSite(socket => socket.end(`${HEAD}content-length: 100\r\n\r\nshort`))
  expect(await read(served)).toMatch(/The connection broke: only the first 5 bytes arrived[\s\S]*short/)
})

test('a body longer than it was said to be ends where it was said to', async () => {
  const served = await rawSite(socket => socket.end(`${HEAD}content-length: 5\r\n\r\nlonger than five`))
  expect(await read(served)).toContain('<web-data>\nlonge\n</web-data>')
})

test('a chunk that is not one breaks the body', async () => {
  const served = await rawSite(socket =>
    socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nxyz`),
  )
  expect(await read(served)).toMatch(/connection broke[\s\S]*abc/)
})

test('of an endless body 10 MB are read', async () => {
  let sent = 0
  const block = 'all work and no play\n'.repeat(3_000)
  const served = await site(async (_, answer) => {
    answer.setHeader('content-type', 'text/plain')
    while (!answer.destroyed) {
      sent += block.length
      if (!answer.write(block))
        await Promise.race([new Promise(resolve => answer.once('drain', resolve)), sleep(50)])
    }
  })
  const text = await read(served)
  expect(text).toContain('It is longer than the 10.0 MB that were read.')
  expect(text.length).toBeLessThan(100_000)
  await sleep(100)
  expect(sent).toBeLessThan(40_000_000)
})

const BOMB = Buffer.alloc(100_000_000, 'a')

test.each([
  ['gzip', gzipSync(BOMB)],
  ['br', brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', zstdCompressSync(BOMB)],
  ['deflate', deflateSync(BOMB)],
])('a %s bomb is not unpacked beyond 10 MB', async (encoding, packed) => {
  const served = await site((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(packed)
  })
  const before = process.memoryUsage().arrayBuffers
  const text = await read(served)
  expect(text).toContain('It is longer than the 10.0 MB that were read.')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
})

test('a bomb that goes off slowly is left as soon as 10 MB are out', async () => {
  let blocks = 0
  const served = await site(async (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    const packed = gzipSync(BOMB.subarray(0, 11_000_000))
    while (!answer.destroyed && blocks++ < 100) {
      answer.write(packed)
      await sleep(50)
    }
    answer.end()
  })
  expect(await read(served)).toContain('It is longer than the 10.0 MB that were read.')
  expect(blocks).toBeLessThan(20)
})

test('what unpacks to nothing, without end, is bounded too', async () => {
  const served = await site(async (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    // The header of a gzip file whose name never ends.
    answer.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
    while (!answer.destroyed)
      if (!answer.write(Buffer.alloc(60_000, 'n')))
        await Promise.race([new Promise(resolve => answer.once('drain', resolve)), sleep(50)])
  })
  expect(await read(served, { bytes: 1_000_000 })).toContain('It is longer than the 0 bytes that were read.')
})

test.each([
  ['gzip', gzipSync('packed words')],
  ['x-gzip', gzipSync('packed words')],
  ['GZIP', gzipSync('packed words')],
  ['deflate', deflateSync('packed words')],
  ['deflate', deflateRawSync('packed words')],
  ['br', brotliCompressSync('packed words')],
  ['zstd', zstdCompressSync('packed words')],
  ['identity', Buffer.from('packed words')],
])('%s is unpacked', async (encoding, packed) => {
  const served = await site((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(packed)
  })
  expect(await read(served)).toContain('<web-data>\npacked words\n</web-data>')
})

test('packed but broken, cut or unknown', async () => {
  const packed = gzipSync(Buffer.from('many words '.repeat(50_000)), { level: 0 })
  const serve = (encoding: string, body: Buffer) =>
    site((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(body)
    })
  expect(await read(await serve('gzip', packed.subarray(0, 300_000)))).toMatch(
    /connection broke[\s\S]*many words/,
  )
  expect(await read(await serve('gzip', Buffer.from('not gzip')))).toContain('only the first 0 bytes arrived')
  expect(await read(await serve('gzip', Buffer.alloc(0)))).toContain('answered 200 OK')
  await expect(read(await serve('gzip, gzip', packed))).rejects.toThrow('cannot be undone')
  await expect(read(await serve('compress', packed))).rejects.toThrow('cannot be undone')
})

test.each(['before the answer', 'in the middle of the body'])(
  'an interrupt %s ends it at once',
  async when => {
    let closed = false
    const served = await rawSite(socket => {
      socket.on('close', () => {
        closed = true
      })
      if (when !== 'before the answer') socket.write(`${HEAD}content-length: 100\r\n\r\nbeginning`)
    })
    const interrupt = new AbortController()
    const reading = read(served, {}, interrupt.signal)
    setTimeout(() => interrupt.abort(new Error('stop')), 100)
    await expect(reading).rejects.toThrow('stop')
    await sleep(50)
    expect(closed).toBe(true)
    await expect(read(served, {}, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  },
)

test('a name that is never looked up is not waited for', async () => {
  const network = { resolve: () => new Promise<string[]>(() => {}) }
  const [tool] = webTools({ settings: { allowPrivate: [] }, env: {}, network, limits: { idleMs: 100 } })
  await expect(call(tool, { url: 'http://site.example/' })).rejects.toThrow('sent nothing for 0.1 s')
})
