import { expect, test } from 'vitest'
import { notPublic, readAddress, readRange } from './address.ts'
import { NOTHING_PRIVATE } from './allowance.ts'
import { assertReachable, assertVisitable, Refused, readUrl } from './destination.ts'

/** Judged as the host of an address, whatever notation. */
function isVisited(host: string): boolean {
  try {
    const url = readUrl(`http://${host}/`)
    assertVisitable(url, NOTHING_PRIVATE)
    assertReachable(url.hostname, [url.hostname], NOTHING_PRIVATE)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '134744072',
  '0x08080808',
  '010.8.8.8',
  '0x8.8.2056',
  '１.１.１.１',
  '[2606:4700:4700::1111]',
  '[2001:4860:4860::8888]',
  '[2a00:1450:4001:82a::200e]',
  '[2001:200::1]',
  '[::ffff:8.8.8.8]',
  '[::ffff:808:808]',
  '[64:ff9b::8.8.8.8]',
  '[64:ff9b::808:808]',
  '[2003::1]',
])('%s is public', host => {
  expect(isVisited(host)).toBe(true)
})

test.each([
  '0.0.0.0',
  '0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.255',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.0x1',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '3232235521',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'a.b.localhost.',
  'ⓛocalhost',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::8.8.8.8]',
  '[100::1]',
  '[2001::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:0808:0808::1]',
  '[2002:c0a8:101::1]',
  '[3ffe::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff:ffff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[2606:4700::5efe:10.0.0.1]',
  '[2606:4700::200:5efe:7f00:1]',
  '[4000::1]',
])('%s is not public', host => {
  expect(isVisited(host)).toBe(false)
})

test.each(['fe80::1%eth0', '::ffff:127.0.0.1', '::1%lo'])('a resolver’s %s is not public', text => {
  expect(() => assertReachable('x.example', [text], NOTHING_PRIVATE)).toThrow(Refused)
})

test('what is not an address is not one', () => {
  for (const text of [
    '',
    'example.com',
    '1.2.3',
    '1.2.3.04',
    '256.1.1.1',
    '1:2',
    ':::1',
    '0x7f.0.0.1',
    '12345::',
  ])
    expect(readAddress(text), text).toBeUndefined()
  for (const text of [
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/1e1',
    'x/8',
  ])
    expect(readRange(text), text).toBeUndefined()
})

test('every form of an IPv6 address is the same number', () => {
  const forms = [
    '::1:2',
    '0:0::1:2',
    '0:0:0:0:0:0:1:2',
    '[::1:2]',
    '::0.1.0.2',
    '0000::0001:0002',
    '::1:2%eth0',
  ]
  for (const form of forms) expect(readAddress(form), form).toEqual({ family: 6, value: 0x1_0002n })
  expect(readAddress('1::')).toEqual({ family: 6, value: 1n << 112n })
  expect(notPublic({ family: 6, value: 1n })).toBe('this machine')
})
