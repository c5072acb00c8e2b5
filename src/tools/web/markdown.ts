/** A page as Markdown, by turndown. Not for the main thread: how long a page takes is up to who wrote it. */
import Turndown from 'turndown'
import { oneLine, type PageText } from './plain-text.ts'

/** What turndown's nodes offer of the DOM, as far as it is used. */
interface Element {
  nodeName: string
  parentNode: Element | null
  firstElementChild: Element | null
  textContent: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  getElementsByTagName(name: string): ArrayLike<Element>
}

type Replacement = (content: string, node: Element) => string

const DROPPED =
  /^(script|style|noscript|template|nav|svg|iframe|frame|object|embed|canvas|audio|video|dialog|button|input|select|textarea)$/i
const INVISIBLE = /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)\s*(!|;|$)/i

/** Links and images in it lead to whole addresses. */
export function toMarkdown(html: string, address: string): PageText {
  const page = new PageReader(address)
  const text = page.read(html)
  return { title: page.title, text }
}

class PageReader {
  title: string | undefined
  #base: string
  #layouts = new Map<Element, boolean>()
  #turndown = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    br: '',
  })

  constructor(address: string) {
    this.#base = address
    // It is for reading: a name such as read_file stays what it is.
    this.#turndown.escape = text => text
    this.#rule(is('A'), (content, node) => this.#link(content, node))
    this.#rule(is('IMG'), (_, node) => this.#image(node))
    this.#rule(is('PRE'), (_, node) => codeBlock(node))
    this.#rule(is('TD', 'TH'), (content, node) => this.#cell(content, node))
    this.#rule(is('TR'), (content, node) => this.#row(content, node))
    this.#rule(is('TABLE'), content => `\n\n${content}\n\n`)
    this.#rule(is('THEAD', 'TBODY', 'TFOOT'), content => content)
    this.#rule(is('TITLE'), (_, node) => this.#keepTitle(node))
    this.#rule(is('BASE'), (_, node) => this.#keepBase(node))
    // Rules that are added later are asked earlier.
    this.#rule(isDropped, () => '')
  }

  read(html: string): string {
    return this.#turndown
      .turndown(html)
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }

  #rule(filter: (node: Element) => boolean, replacement: Replacement): void {
    const rule = { filter, replacement } as unknown as Turndown.Rule
    this.#turndown.addRule(`${this.#turndown.rules.array.length}`, rule)
  }

  #whole(address: string | null): string | undefined {
    const url = address ? URL.parse(address.trim(), this.#base) : null
    return url && /^(https?|mailto|ftp):$/.test(url.protocol) ? url.href : undefined
  }

  #link(content: string, node: Element): string {
    const words = oneLine(content)
    const address = this.#whole(node.getAttribute('href'))
    return address === undefined || words === '' ? content : `[${words}](${destination(address)})`
  }

  #image(node: Element): string {
    const words = oneLine(node.getAttribute('alt') ?? '')
    const address = this.#whole(node.getAttribute('src'))
    return address === undefined ? words : `![${words}](${destination(address)})`
  }

  #cell(content: string, node: Element): string {
    if (this.#isLayout(tableOf(node))) return `\n\n${content}\n\n`
    return ` ${oneLine(content).replaceAll('|', '\\|')} |`
  }

  #row(content: string, node: Element): string {
    const table = tableOf(node)
    if (this.#isLayout(table)) return `\n\n${content}\n\n`
    const isFirst = table?.getElementsByTagName('TR')[0] === node
    const columns = content.match(/(?<!\\)\|/g)?.length ?? 0
    return `\n|${content}${isFirst ? `\n|${' --- |'.repeat(columns)}` : ''}\n`
  }

  /** A table that only puts things in their place, or one within which there are others. */
  #isLayout(table: Element | undefined): boolean {
    if (!table) return true
    const known = this.#layouts.get(table)
    if (known !== undefined) return known
    const count = (name: string) => table.getElementsByTagName(name).length
    const isLayout =
      table.getAttribute('role') === 'presentation' ||
      count('TABLE') > 0 ||
      count('TD') + count('TH') <= count('TR')
    this.#layouts.set(table, isLayout)
    return isLayout
  }

  #keepTitle(node: Element): string {
    this.title ??= oneLine(node.textContent) || undefined
    return ''
  }

  #keepBase(node: Element): string {
    this.#base = this.#whole(node.getAttribute('href')) ?? this.#base
    return ''
  }
}

function is(...names: string[]) {
  return ({ nodeName }: Element) => names.includes(nodeName)
}

function isDropped(node: Element): boolean {
  return (
    DROPPED.test(node.nodeName) ||
    node.hasAttribute('hidden') ||
    node.getAttribute('aria-hidden') === 'true' ||
    node.getAttribute('role') === 'navigation' ||
    INVISIBLE.test(node.getAttribute('style') ?? '')
  )
}

function tableOf({ parentNode }: Element): Element | undefined {
  let node = parentNode
  while (node && node.nodeName !== 'TABLE') node = node.parentNode
  return node ?? undefined
}

function destination(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29')
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})/

function codeBlock(node: Element): string {
  const code = node.textContent.replace(/\n$/, '')
  const classes = [node, node.firstElementChild].map(each => each?.getAttribute('class') ?? '').join(' ')
  const language = LANGUAGE.exec(classes)?.[1] ?? ''
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).slice(0, 1_000).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`
}
