import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { Door, VISIT_DAYS } from './door.ts'
import { opener } from './open-browser.ts'
import { servePage, Visitor } from './web.fixture.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('the link lets in one browser, once; its token is in no cookie, no file and no log', async () => {
  const { page, home, logged } = await servePage()
  const link = page.link()
  const token = new URL(link).searchParams.get('token') ?? ''
  const first = await fetch(link, { redirect: 'manual' })
  const cookie = first.headers.get('set-cookie') ?? ''
  expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
  expect(cookie).toMatch(new RegExp(`^reverie_${new URL(page.url).port}=[\\w-]{43};`))
  expect(cookie).toMatch(/HttpOnly/i)
  expect(cookie).toMatch(/SameSite=Strict/i)
  const again = await fetch(link, { redirect: 'manual' })
  expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
  expect(await again.text()).toContain('This link was used already')
  // Who came from another site would not be sent on with the cookie: the page leads on by itself.
  const fromElsewhere = await fetch(page.link(), { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([fromElsewhere.status, fromElsewhere.headers.get('refresh')]).toEqual([200, '0; url=/'])
  const kept = readFileSync(join(home.path, 'page.json'), 'utf8')
  const secret = /=([\w-]{43})/.exec(cookie)?.[1] ?? 'none'
  for (const hidden of [token, secret]) expect([kept, ...logged].join()).not.toContain(hidden)
  expect(statSync(join(home.path, 'page.json')).mode & 0o777).toBe(0o600)
})

test('without a cookie there is nothing to see; with one, only from the page itself', async () => {
  const { page } = await servePage()
  const { url } = page
  for (const path of ['/', '/memory', '/index.html', '/icon.svg', '/nothing.js'])
    expect((await fetch(url + path)).status, path).toBe(401)
  const refused = await fetch(`${url}/api/memory`)
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: 'This browser has no access. Open the link that `reverie web` prints.' },
  ])
  const { cookie } = await Visitor.of(page)
  expect(cookie).not.toBe('')
  const status = async (headers: Record<string, string>, method = 'GET') =>
    (
      await fetch(`${url}/api/memory`, {
        method,
        headers: { cookie, ...headers },
        ...(method === 'POST' && { body: '{}' }),
      })
    ).status
  expect(await status({})).toBe(200)
  expect(await status({ cookie: cookie.replace(/=.*/, '=wrong') })).toBe(401)
  expect(await status({ origin: 'http://evil.example' })).toBe(403)
  expect(await status({ origin: 'http://evil.example' }, 'POST')).toBe(403)
  expect(await status({}, 'POST')).toBe(403)
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await status({ origin: url }, 'POST')).toBe(400)
  const large = await fetch(`${url}/api/memory`, {
    method: 'POST',
    headers: { cookie, origin: url },
    body: Buffer.alloc(50 * 2 ** 20),
  }).catch(() => undefined)
  expect([413, undefined]).toContain(large?.status)
  const index = await fetch(url, { headers: { cookie } })
  expect(await index.text()).toContain('<title>Reverie</title>')
  expect(index.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('a visitor is known after a new start, and not after 30 days, nor when all were sent away', async () => {
  const home = homeAt(join(temporaryDirectory(), 'home'))
  let today = new Date('2026-03-01T10:00:00Z')
  const door = () => new Door(home, { now: () => today })
  const cookie = (await new Promise<string | undefined>(resolve => {
    const first = door()
    resolve(first.enter(first.makeToken()))
  })) as string
  expect(await door().admits(cookie)).toBe(true)
  expect(await door().admits(`${cookie}x`)).toBe(false)
  today = new Date(today.getTime() + (VISIT_DAYS - 1) * DAY_MS)
  expect(await door().admits(cookie)).toBe(true)
  today = new Date(today.getTime() + (VISIT_DAYS - 1) * DAY_MS)
  expect(await door().admits(cookie)).toBe(true)
  today = new Date(today.getTime() + (VISIT_DAYS + 1) * DAY_MS)
  expect(await door().admits(cookie)).toBe(false)
  const last = door()
  const other = (await last.enter(last.makeToken())) as string
  await last.sendAllAway()
  expect([await last.admits(other), await last.enter(last.makeToken())]).toEqual([false, expect.any(String)])
})

test.each([
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', {}, undefined],
  ['linux', { DISPLAY: ':0', CI: 'true' }, undefined],
  ['darwin', {}, ['open']],
] as const)('a browser is opened where there is a desktop: %s %j', (platform, env, expected) => {
  expect(opener(platform, env)).toEqual(expected)
})
