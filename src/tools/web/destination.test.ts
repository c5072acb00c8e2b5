import { expect, test } from 'vitest'
import { ANYTHING, InvalidAllowance, NOTHING_PRIVATE, readAllowance } from './allowance.ts'
import { assertReachable, assertVisitable, readUrl, redirected } from './destination.ts'

test.each([
  ['ftp://example.com/', 'Only http and https'],
  ['file:///etc/passwd', 'Only http and https'],
  ['javascript:alert(1)', 'Only http and https'],
  ['data:text/html,x', 'Only http and https'],
  ['https://user@example.com/', 'user name or a password'],
  ['https://:secret@example.com/', 'user name or a password'],
  ['https://example.com:22/', 'Port 22'],
  ['https://example.com:25/', 'Port 25'],
  ['https://example.com:0/', 'Port 0'],
  ['http://example.com:6667/', 'Port 6667'],
  ['http://localhost:8080/', 'not on the public internet'],
])('%s is not visited', (text, reason) => {
  expect(() => assertVisitable(readUrl(text), NOTHING_PRIVATE)).toThrow(reason)
})

test.each([
  'http://a.example',
  'https://a.example',
  'https://a.example:80',
  'http://a.example:8080',
  'https://a.example:50000',
])('%s may be', text => assertVisitable(readUrl(text), NOTHING_PRIVATE))

test.each([
  '',
  'example.com',
  'http://',
  'https://[::1',
  'http://256.256.256.256/',
  `https://a.example/${'a'.repeat(9_000)}`,
])('%s is not an address', text => expect(() => readUrl(text)).toThrow('is not an address'))

test('a password is not repeated in what is said of it', () => {
  expect(() => assertVisitable(readUrl('https://u:hunter2@x.example'), NOTHING_PRIVATE)).not.toThrow(
    'hunter2',
  )
})

test('one address that is not public is enough', () => {
  expect(() => assertReachable('x.example', ['8.8.8.8', '10.0.0.1'], NOTHING_PRIVATE)).toThrow(
    'x.example (10.0.0.1)',
  )
  expect(() => assertReachable('x.example', ['8.8.8.8', 'nonsense'], NOTHING_PRIVATE)).toThrow(
    'no known network',
  )
  expect(() => assertReachable('x.example', [], NOTHING_PRIVATE)).toThrow('has no address')
  assertReachable('x.example', ['8.8.8.8', '2606:4700::1'], NOTHING_PRIVATE)
})

test('what the owner allows may be reached, and nothing beside it', () => {
  const allowance = readAllowance(['10.1.0.0/16', 'NAS.lan.', '192.168.0.7', 'fd00::/8', 'localhost'])
  assertReachable('x.example', ['10.1.2.3'], allowance)
  assertReachable('x.example', ['::ffff:10.1.2.3'], allowance)
  assertReachable('x.example', ['fd12::1'], allowance)
  assertReachable('nas.lan', ['192.168.0.99'], allowance)
  assertReachable('192.168.0.7', ['192.168.0.7'], allowance)
  assertVisitable(readUrl('http://localhost.:3000'), allowance)
  for (const address of ['10.2.0.1', '192.168.0.8', '127.0.0.1', 'fe80::1', '169.254.169.254'])
    expect(() => assertReachable('x.example', [address], allowance), address).toThrow('not on the public')
  expect(() => assertReachable('evil-nas.lan', ['192.168.0.99'], allowance)).toThrow('not on the public')
  expect(() => assertVisitable(readUrl('http://a.localhost'), allowance)).toThrow('this machine')
  assertReachable('anything', ['127.0.0.1'], ANYTHING)
})

test.each(['http://nas.lan', 'nas.lan:80', '10.0.0.0/40', '*', '', 'a b', '10.0.0.0/8,::1'])(
  'allows no %j',
  entry => {
    expect(() => readAllowance([entry])).toThrow(InvalidAllowance)
  },
)

test('redirects are read against where they come from, and stay with https', () => {
  const from = new URL('https://a.example/x/y')
  expect(redirected(from, '../z?q#f').href).toBe('https://a.example/z?q#f')
  expect(redirected(from, '//b.example/').href).toBe('https://b.example/')
  expect(redirected(new URL('http://a.example'), 'https://b.example/').href).toBe('https://b.example/')
  expect(() => redirected(from, 'http://a.example/')).toThrow('from https to')
  expect(() => redirected(from, 'https://[')).toThrow('is not an address')
})
