import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { fileAgent } from './agent.fixture.ts'

const read = (agent: ReturnType<typeof fileAgent>, path: string) => agent.text('read_file', { path })

test('a new file, with the directories it needs and the mode of any new file', async () => {
  const agent = fileAgent()
  expect(await agent.text('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n' })).toBe(
    'Created a/b/c.txt, 2 lines.',
  )
  expect(agent.get('a/b/c.txt')).toBe('one\ntwo\n')
  expect(statSync(agent.at('a/b/c.txt')).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(statSync(agent.at('a')).mode & 0o777).toBe(0o777 & ~process.umask())
})

test('what exists must have been read, whole, and be unchanged', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'one\ntwo\n')
  const write = () => agent.text('write_file', { path: 'a.txt', content: 'new\n' })
  await expect(write()).rejects.toThrow('have not read it')
  await agent.text('read_file', { path: 'a.txt', limit: 1 })
  await expect(write()).rejects.toThrow('only a part')
  await agent.text('read_file', { path: 'a.txt', offset: 2 })
  agent.put('a.txt', 'one\nTWO\n')
  await expect(write()).rejects.toThrow('Read it again')
  await read(agent, 'a.txt')
  await write()
  expect(agent.get('a.txt')).toBe('new\n')
  await expect(write()).rejects.toThrow('already has exactly this content')
})

test('who wrote a file may write it again', async () => {
  const agent = fileAgent()
  await agent.text('write_file', { path: 'a', content: '1' })
  await agent.text('write_file', { path: 'a', content: '2' })
  expect(agent.get('a')).toBe('2')
})

test('mode, encoding, byte order mark and line endings stay', async () => {
  const agent = fileAgent()
  agent.put('a.sh', '\ufeffone\r\ntwo\r\n')
  chmodSync(agent.at('a.sh'), 0o755)
  await read(agent, 'a.sh')
  expect(await agent.text('write_file', { path: 'a.sh', content: 'three\nfour\n' })).toContain('stay CRLF')
  expect(agent.get('a.sh')).toBe('\ufeffthree\r\nfour\r\n')
  expect(statSync(agent.at('a.sh')).mode & 0o777).toBe(0o755)
  agent.put('wide', Buffer.from('\ufeffé\n', 'utf16le'))
  await read(agent, 'wide')
  await agent.text('write_file', { path: 'wide', content: 'ü\n' })
  expect(agent.bytes('wide')).toEqual(Buffer.from('\ufeffü\n', 'utf16le'))
  agent.put('old', Buffer.from('\xe9\n', 'latin1'))
  await read(agent, 'old')
  await agent.text('write_file', { path: 'old', content: 'ü\n' })
  expect(agent.bytes('old')).toEqual(Buffer.from('\xfc\n', 'latin1'))
  expect(await agent.text('write_file', { path: 'old', content: '€\n' })).toContain('UTF-8 now')
})

test('a link that is asked for is followed and stays a link', async () => {
  const agent = fileAgent()
  const outside = temporaryDirectory()
  symlinkSync(join(outside, 'real.txt'), agent.at('link'))
  agent.put('inside.txt', 'x')
  symlinkSync('inside.txt', agent.at('near'))
  await read(agent, 'near')
  await agent.text('write_file', { path: 'near', content: 'y' })
  expect(agent.get('inside.txt')).toBe('y')
  // A link that leads to nothing is not a file to be created elsewhere.
  await expect(agent.text('write_file', { path: 'link', content: 'y' })).rejects.toThrow()
})

test('directories, halves of characters and paths through files are refused', async () => {
  const agent = fileAgent()
  mkdirSync(agent.at('dir'))
  await expect(agent.text('write_file', { path: 'dir', content: '' })).rejects.toThrow('is a directory')
  await expect(agent.text('write_file', { path: 'a', content: '\ud800' })).rejects.toThrow(
    'half of a character',
  )
  agent.put('file', 'x')
  await expect(agent.text('write_file', { path: 'file/below', content: '' })).rejects.toThrow(
    'not a directory',
  )
})
