/** Markdown as elements. Nothing of it is ever HTML: what looks like tags is shown as text. */
import type { Token, Tokens } from 'marked'
import type { ComponentChildren, VNode } from 'preact'
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import { markdownTokens } from '../../src/surfaces/text/markdown-tokens.ts'
import { attempt } from './toast.tsx'

/** Only these lead anywhere. */
const SAFE = /^(https?:|mailto:)/i

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div class="prose">{blocks(markdownTokens(text))}</div>
})

function blocks(tokens: readonly Token[] = []): VNode[] {
  return tokens.map((token, at) => <Block key={at} token={token} />)
}

function Block({ token }: { token: Token }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      // Headings of a text stand below those of the page.
      const level = Math.min(6, (token as Tokens.Heading).depth + 2)
      const Heading = `h${level}` as 'h3'
      return <Heading dir="auto">{inline(token.tokens)}</Heading>
    }
    case 'paragraph':
      return <p dir="auto">{inline(token.tokens)}</p>
    case 'code':
      return <Code text={token.text} />
    case 'blockquote':
      return <blockquote dir="auto">{blocks(token.tokens)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'text':
      return <>{token.tokens ? inline(token.tokens) : token.text}</>
    default:
      return <p dir="auto">{token.raw}</p>
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => (
    <li key={at} class={item.task ? 'todo' : undefined}>
      {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ))
  return list.ordered ? (
    <ol dir="auto" start={Number(list.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul dir="auto">{items}</ul>
  )
}

const COPIED_MS = 1_500

function Code({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await attempt(() => navigator.clipboard.writeText(text)))) return
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <div class="code">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" class="copy" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} class={sideOf(cell)} dir="auto">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, at) => (
                <td key={at} class={sideOf(cell)} dir="auto">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A class, because the page's policy forbids styles of elements. */
function sideOf({ align }: Tokens.TableCell): string | undefined {
  return align === null || align === 'left' ? undefined : `to-${align}`
}

function inline(tokens: readonly Token[] = []): ComponentChildren[] {
  return tokens.map((token, at) => <Inline key={at} token={token} />)
}

function Inline({ token }: { token: Token }) {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{inline(token.tokens)}</Link>
    case 'image':
      // A picture elsewhere would tell its server who looks; it is a link.
      return <Link href={(token as Tokens.Image).href}>{token.text || 'picture'}</Link>
    case 'escape':
      return <>{token.text}</>
    case 'text':
      return <>{token.tokens ? inline(token.tokens) : decoded(token.text)}</>
    default:
      return <>{token.raw}</>
  }
}

function Link({ href, children }: { href: string; children: ComponentChildren }) {
  if (!SAFE.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" }

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
