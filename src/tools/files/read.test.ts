import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { fileAgent } from './agent.fixture.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('lines with their numbers, and the asked range with what was left out', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'one\ntwo\nthree\nfour\n')
  expect(await agent.text('read_file', { path: 'a.txt' })).toBe(
    '   1\tone\n   2\ttwo\n   3\tthree\n   4\tfour',
  )
  const part = await agent.text('read_file', { path: agent.at('a.txt'), offset: 2, limit: 2 })
  expect(part).toBe('   2\ttwo\n   3\tthree\n\n[Lines 2–3 of 4. Go on with offset 4.]')
  await expect(agent.text('read_file', { path: 'a.txt', offset: 9 })).rejects.toThrow('only 4 lines')
})

test('what did not change is not shown again; who asks a third time gets it', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'one\n')
  const first = await agent.text('read_file', { path: 'a.txt' })
  expect(await agent.text('read_file', { path: 'a.txt' })).toContain('unchanged since')
  expect(await agent.text('read_file', { path: 'a.txt' })).toBe(first)
  agent.seen.forgetShown()
  expect(await agent.text('read_file', { path: 'a.txt' })).toBe(first)
  agent.put('a.txt', 'two\n')
  expect(await agent.text('read_file', { path: 'a.txt' })).toContain('two')
})

test('long files and long lines are cut, and it is said', async () => {
  const agent = fileAgent()
  agent.put('long.txt', Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}`).join('\n'))
  const text = await agent.text('read_file', { path: 'long.txt' })
  expect(text).toContain('2000\tline 2000\n\n[Lines 1–2000 of 3000. Go on with offset 2001.')
  agent.put('wide.txt', `${'x'.repeat(5_000)}\nend`)
  expect(await agent.text('read_file', { path: 'wide.txt' })).toMatch(
    /x{2000} … \[3000 more characters\]\n {3}2\tend/,
  )
  agent.put('heavy.txt', `${'y'.repeat(1_500)}\n`.repeat(500))
  const heavy = await agent.text('read_file', { path: 'heavy.txt' })
  expect(heavy.length).toBeLessThan(100_000)
  expect(heavy).toMatch(/Lines 1–59 of 500\. Go on with offset 60\./)
})

test('encodings are read, and named', async () => {
  const agent = fileAgent()
  agent.put('bom.txt', '\ufeffhé\n')
  agent.put('wide.txt', Buffer.from('\ufeffhé\r\n', 'utf16le'))
  agent.put('old.txt', Buffer.from('caf\xe9\n', 'latin1'))
  expect(await agent.text('read_file', { path: 'bom.txt' })).toBe(
    '   1\thé\n\n[Encoding: UTF-8 with byte order mark.]',
  )
  expect(await agent.text('read_file', { path: 'wide.txt' })).toMatch(
    /^ {3}1\thé\n\n\[Encoding: UTF-16 LE.*CRLF/,
  )
  expect(await agent.text('read_file', { path: 'old.txt' })).toContain('café\n\n[Encoding: Latin-1.]')
})

test('an image comes as an image; what is not text is named', async () => {
  const agent = fileAgent()
  agent.put('a.png', PNG)
  const { images } = await agent.run('read_file', { path: 'a.png' })
  expect(images).toEqual([{ type: 'image', mediaType: 'image/png', data: PNG.toString('base64') }])
  agent.put('big.png', Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]))
  await expect(agent.text('read_file', { path: 'big.png' })).rejects.toThrow('smaller copy')
  agent.put('a.pdf', '%PDF-1.7 …')
  await expect(agent.text('read_file', { path: 'a.pdf' })).rejects.toThrow('pdftotext')
  agent.put('a.zip', Buffer.from('PK\x03\x04\0\0\0', 'latin1'))
  await expect(agent.text('read_file', { path: 'a.zip' })).rejects.toThrow('zip archive')
  agent.put('a.bin', Buffer.from([1, 0, 2]))
  await expect(agent.text('read_file', { path: 'a.bin' })).rejects.toThrow('binary data')
  agent.put('a.ipynb', '{"cells": []}')
  expect(await agent.text('read_file', { path: 'a.ipynb' })).toContain('{"cells": []}')
})

test('directories, missing files, pipes, sockets and devices', async () => {
  const agent = fileAgent()
  mkdirSync(agent.at('dir'))
  await expect(agent.text('read_file', { path: 'dir' })).rejects.toThrow('use glob'.replace('use ', ''))
  agent.put('README.md', 'x')
  await expect(agent.text('read_file', { path: 'readme.txt' })).rejects.toThrow('there is: README.md')
  execFileSync('mkfifo', [agent.at('pipe')])
  await expect(agent.text('read_file', { path: 'pipe' })).rejects.toThrow('a pipe')
  await expect(agent.text('read_file', { path: '/dev/zero' })).rejects.toThrow('a device')
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(agent.at('socket'), resolve))
  await expect(agent.text('read_file', { path: 'socket' })).rejects.toThrow('a socket')
  symlinkSync('circle', agent.at('circle'))
  await expect(agent.text('read_file', { path: 'circle' })).rejects.toThrow('circle')
  agent.put('empty', '')
  expect(await agent.text('read_file', { path: 'empty' })).toBe('empty is empty.')
})

test.runIf(process.platform === 'linux')('/proc files, which say that they are empty', async () => {
  expect(await fileAgent().text('read_file', { path: '/proc/self/status' })).toContain('Name:')
})

test('of a huge file only what is asked for', async () => {
  const agent = fileAgent()
  const block = `${'z'.repeat(99)}\n`.repeat(10_000)
  writeFileSync(agent.at('huge.log'), 'first\n')
  for (let at = 0; at < 36; at++) appendFileSync(agent.at('huge.log'), block)
  const text = await agent.text('read_file', { path: 'huge.log', limit: 2 })
  expect(text).toMatch(/^ {3}1\tfirst\n {3}2\tz+\n\n\[Lines 1–2\. Go on with offset 3\. The file has 34 MB/)
  expect(await agent.text('read_file', { path: 'huge.log', offset: 360_001 })).toContain('360001\tzzz')
  expect(await agent.text('read_file', { path: 'huge.log', limit: 2 })).toContain('unchanged')
  await expect(agent.text('edit_file', { path: 'huge.log', old: 'first', new: '1' })).rejects.toThrow(
    'too large',
  )
})
