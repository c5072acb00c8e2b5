/** Longer ones stay as they are: it would take more than a second. In characters. */
const LONGEST = 2_000_000
/** How much indenting may add, in characters; deep nesting would add its square. */
const MOST_ADDED = 5_000_000

/**
 * JSON with a line for each value. Only the space between changes: numbers stay as they were written, however long.
 * What is not JSON stays as it is.
 */
export function indentedJson(text: string): string {
  if (text.length > LONGEST || !isJson(text)) return text
  const pieces: string[] = []
  let depth = 0
  let added = 0
  const newLine = () => {
    added += 1 + 2 * depth
    return `\n${'  '.repeat(depth)}`
  }
  for (const token of tokensOf(text)) {
    const closes = token === '}' || token === ']'
    if (closes) depth--
    const last = pieces.at(-1)
    const isEmpty = closes && (last === '{' || last === '[')
    if (last !== undefined && !isEmpty && (closes || OPENS.has(last))) pieces.push(newLine())
    if (last === ',') pieces.push(newLine())
    pieces.push(token === ':' ? ': ' : token)
    if (OPENS.has(token)) depth++
    if (added > MOST_ADDED) return text
  }
  return pieces.join('')
}

const OPENS: ReadonlySet<string> = new Set(['{', '['])

const BETWEEN = /\s+/y
const PLAIN = /[^\s{}[\],:"]+/y

/** Of text that is JSON. A pattern for whole strings would run out of stack in long ones. */
function* tokensOf(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    at += lengthOf(BETWEEN, text, at)
    const end = text[at] === '"' ? endOfString(text, at) : at + Math.max(1, lengthOf(PLAIN, text, at))
    if (at < text.length) yield text.slice(at, end)
    at = end
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
