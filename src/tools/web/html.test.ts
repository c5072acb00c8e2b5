/** Pages that are made to hurt. Whatever they are, the main thread goes on and there is text in the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LONGEST_HTML, readHtml } from './html.ts'

const never = new AbortController().signal
const read = (html: string, longestMs?: number) => readHtml(html, 'https://site.example/', never, longestMs)

test('a page is Markdown', async () => {
  expect(await read('<title>T</title><h1>x</h1>')).toEqual({ title: 'T', text: '# x', isMarkdown: true })
})

test.each([
  ['<div>', '</div>'],
  ['<b>', '</b>'],
  ['<ul><li>', '</li></ul>'],
  ['<blockquote>', ''],
  ['<table><tr><td>', ''],
  ['<a href=x><p>', ''],
  ['<font><p>', ''],
])('%s nested 10,000 deep', async (open, close) => {
  const { text, title } = await read(
    `<title>Deep</title>${open.repeat(10_000)}treasure${close.repeat(10_000)}`,
    1_000,
  )
  expect(text).toContain('treasure')
  expect(title).toBe('Deep')
})

test('5 MB, and what is beyond is left out', async () => {
  const row = '<p>some <b>words</b> in a <a href="/x">row</a></p>\n'
  const long = `<p>${'and more of them '.repeat(10_000)}</p>\n`
  const fits =
    row.repeat(10_000) + long.repeat(Math.floor((LONGEST_HTML - 10_000 * row.length) / long.length))
  const { text } = await read(`${fits}<p>the last of what fits</p>${long}<p>beyond</p>`)
  expect(text).toContain('some **words** in a [row]')
  expect(text).toContain('the last of what fits')
  expect(text).not.toContain('beyond')
})

// That it is given up tells as well that nothing waits while it is read: the limit is kept by the thread that asked.
test('a page that takes too long is given up for its plain words', async () => {
  const html = `<ol>${'<li>item'.repeat(200_000)}</ol>`
  const { text, isMarkdown } = await read(html, 300)
  expect(isMarkdown).toBe(false)
  expect(text.match(/item/g)).toHaveLength(200_000)
})

test('an interrupt ends the conversion', async () => {
  const interrupt = new AbortController()
  const reading = readHtml(
    `<ol>${'<li>item'.repeat(200_000)}</ol>`,
    'https://site.example/',
    interrupt.signal,
  )
  setTimeout(() => interrupt.abort(new Error('stop')), 100)
  await expect(reading).rejects.toThrow('stop')
  await sleep(10)
})

test.each([
  [
    'random bytes',
    Array.from({ length: 100_000 }, (_, at) => String.fromCharCode((at * 7919) % 256)).join(''),
  ],
  ['only openings', '<'.repeat(100_000)],
  ['only quotes', `<a b="${"'".repeat(100_000)}`],
  ['unclosed comment', `<!--${'x'.repeat(100_000)}`],
  ['half characters', '\ud800<p>\udc00</p>\ud83d'],
  ['crossed tags', '<b><i><a></b></i></a>'.repeat(2_000)],
  ['attributes', `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>x</p>`],
  ['frames', '<frameset><frame src="x"></frameset>'],
])('%s', async (_, html) => {
  expect(typeof (await read(html, 5_000)).text).toBe('string')
})
