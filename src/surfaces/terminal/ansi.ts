import { type Colour, type Line, PLAIN, type Span, type Style, span } from './style.ts'

const COLOURS: Readonly<Record<number, Colour>> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
}

/** Text that a command has styled. Only styles are taken from it; any other sequence stays text, and is shown as that. */
export function styledLines(text: string): Line[] {
  let style: Style = PLAIN
  return text.split('\n').map(row => {
    const spans: Span[] = []
    let at = 0
    for (const { 0: code, 1: number, index } of row.matchAll(/\u001b\[(\d{0,3})m/g)) {
      if (index > at) spans.push(span(row.slice(at, index), style))
      style = styleAfter(style, Number(number))
      at = index + code.length
    }
    if (at < row.length) spans.push(span(row.slice(at), style))
    return spans
  })
}

function styleAfter(style: Style, code: number): Style {
  const { colour, bold, dim, ...rest } = style
  const kept = { ...rest, ...(colour && { colour }), ...(bold && { bold }), ...(dim && { dim }) }
  if (code === 0) return PLAIN
  if (code === 1) return { ...kept, bold: true }
  if (code === 2) return { ...kept, dim: true }
  if (code === 22) return { ...rest, ...(colour && { colour }) }
  if (code === 39) return { ...rest, ...(bold && { bold }), ...(dim && { dim }) }
  const found = COLOURS[code]
  return found ? { ...kept, colour: found } : style
}
