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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 34rem; margin: 16vh auto; padding: 0 1.5rem }
h1 { font-size: 1.3rem } code { padding: .1em .35em; border-radius: .3em; background: #8882 }`

function sayWithout(context: Context, why: string): Response {
  const body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Reverie</title><link rel="stylesheet" href="/entrance.css">
<h1>${why}</h1>
<p>Open the link that <code>reverie web</code> prints: it works once, in one browser. For another browser, make
another link under Settings on a page that is open, or stop Reverie and start it again.</p>
<p><a href="/">Try again</a></p></html>`
  return context.html(body, 401)
}
