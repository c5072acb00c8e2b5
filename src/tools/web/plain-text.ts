/** The words of a page, whatever its markup: one pass, no tree, no recursion. */

export interface PageText {
  title: string | undefined
  text: string
}

/** Nothing in these is for reading. */
const SKIPPED: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'svg',
  'iframe',
])
/** In these, markup is text until they end; what never ends takes the rest of the page with it. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'iframe'])
const INLINE =
  /^(a|abbr|acronym|b|bdi|bdo|big|cite|code|data|dfn|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/
const TAG = /<\/?([a-z][^\s/>]{0,40})/iy

export function plainText(html: string): PageText {
  const pieces: string[] = []
  const endless = new Set<string>()
  let title: string | undefined
  let at = 0
  /** Where the element's end tag begins; each name is looked for in vain only once. */
  const endOf = (name: string): number | undefined => {
    if (endless.has(name)) return undefined
    const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    pattern.lastIndex = at
    const found = pattern.exec(html)
    if (!found) endless.add(name)
    return found?.index
  }
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    pieces.push(html.slice(at, open))
    at = open
    TAG.lastIndex = at
    const name = TAG.exec(html)?.[1]?.toLowerCase()
    if (name === undefined) {
      at = afterOther(html, at, pieces)
      continue
    }
    const isEnd = html[at + 1] === '/'
    at = afterTag(html, at + name.length)
    if (!INLINE.test(name)) pieces.push('\n')
    if (isEnd) continue
    if (name === 'title' && title === undefined) {
      const end = endOf(name)
      title = oneLine(withoutEntities(html.slice(at, end ?? at)))
      at = end ?? at
    } else if (SKIPPED.has(name)) {
      const end = endOf(name)
      if (end !== undefined) at = end
      else if (RAW.has(name)) at = html.length
    }
  }
  if (at < html.length) pieces.push(html.slice(at))
  return { title: title || undefined, text: tidy(withoutEntities(pieces.join(''))) }
}

/** A comment, a declaration, or a mere `<`. */
function afterOther(html: string, at: number, pieces: string[]): number {
  const next = html[at + 1]
  if (next !== '!' && next !== '?' && next !== '/') {
    pieces.push('<')
    return at + 1
  }
  const isComment = html.startsWith('<!--', at)
  const end = html.indexOf(isComment ? '-->' : '>', at + 2)
  return end < 0 ? html.length : end + (isComment ? 3 : 1)
}

const TAG_PART = /[^>"'=]*(?:=\s*(?:"[^"]*"|'[^']*')?|["'])?/y

/** A `>` within a quoted value does not end a tag. */
function afterTag(html: string, start: number): number {
  let at = start
  while (at < html.length && html[at] !== '>') {
    TAG_PART.lastIndex = at
    const length = TAG_PART.exec(html)?.[0].length ?? 0
    at += Math.max(1, length)
  }
  return Math.min(html.length, at + 1)
}

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? all
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : all
  })
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function tidy(text: string): string {
  const lines = text.split('\n').map(oneLine)
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim()
}
