/** The way in: a link with a token that works once, and a cookie from then on. */
import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { refuse } from '../http/index.ts'
import { type Door, VISIT_DAYS } from './door.ts'

const DAY_S = 24 * 60 * 60

/** Cookies ignore ports: two pages on one machine would take each other's. */
function cookieName(context: Context): string {
  return `reverie_${portOf(context)}`
}

function portOf({ env }: Context): number {
  const { incoming } = env as { incoming?: { socket: { localPort?: number } } }
  return incoming?.socket.localPort ?? 0
}

export function entrance(door: Door): Hono {
  const app = new Hono()
  app.get('/entrance.css', context => context.body(STYLE, 200, { 'Content-Type': 'text/css' }))
  app.get('/enter', async context => {
    context.header('Cache-Control', 'no-store')
    const cookie = await door.enter(context.req.query('token') ?? '')
    if (cookie === undefined)
      return sayWithout(context, 'This link was used already, or belongs to an earlier start.')
    setCookie(context, cookieName(context), cookie, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: VISIT_DAYS * DAY_S,
    })
    const site = context.req.header('sec-fetch-site')
    if (site === undefined || site === 'none' || site === 'same-origin') return context.redirect('/', 303)
    // Who followed a link elsewhere would arrive without the cookie, which is for this site alone.
    context.header('Refresh', '0; url=/')
    return context.text('Opening…')
  })
  return app
}

/** Only for browsers that came through the entrance. */
export function visitorsOnly(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const cookie = getCookie(context, cookieName(context))
    if (cookie !== undefined && (await door.admits(cookie))) return next()
    context.header('Cache-Control', 'no-store')
    if (context.req.path.startsWith('/api/'))
      return refuse(context, 401, 'This browser has no access. Open the link that `reverie web` prints.')
    return sayWithout(context, 'This browser has not been let in yet.')
  }
}

/** As the page looks, of which nothing is served yet. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif; color: #22212a; background: #faf9f7 }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem }
svg { width: 1.75rem; height: 1.75rem }
h1 { margin: 1rem 0 .5rem; font: 600 1.75rem/1.25 ui-serif, Palatino, Georgia, "Noto Serif", serif }
code { padding: .1em .35em; border-radius: .3em; background: #8882 }
a { color: #5148b8 }
@media (prefers-color-scheme: dark) { :root { color: #ecebf1; background: #14151b } a { color: #a59df5 } }`

const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#5b51c9"/>
<path fill="#fff" d="M20.6 20.3A8.2 8.2 0 0 1 12 8.2a8.6 8.6 0 1 0 11.6 10.9 8 8 0 0 1-3 1.2Z"/>
<circle cx="21.4" cy="10.4" r="1.7" fill="#f4d58d"/></svg>`

function sayWithout(context: Context, why: string): Response {
  const body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Reverie</title><link rel="stylesheet" href="/entrance.css">
${MARK}
<h1>${why}</h1>
<p>Open the link that <code>reverie web</code> prints: it works once, in one browser. For another browser, make
another link under Settings on a page that is open, or stop Reverie and start it again.</p>
<p><a href="/">Try again</a></p></html>`
  return context.html(body, 401)
}
