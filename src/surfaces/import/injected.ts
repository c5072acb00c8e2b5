import { LENT_FENCE, MEMORY_FENCES } from '../../memory/index.ts'

/** Programs put text of their own into what a person says. What a person said is told apart from it here. */

export interface Marks {
  /** Elements such as `<system-reminder>…</system-reminder>` are the program's, wherever they stand. */
  tags: readonly string[]
  /** A text that begins with one of these elements is a message of somebody else, whatever stands behind it. */
  messages?: readonly string[]
  /** A text that begins with one of these is the program's altogether. */
  beginnings: readonly (string | RegExp)[]
  /** What begins like this is the program's up to and with the line that ends it. */
  preface?: { begins: string; ends: string }
  /** From a line like one of these on, the rest is the program's: what it has put behind what was said. */
  appended?: readonly string[]
}

export interface ToldApart {
  said: string
  injected: string[]
}

/** What was given to another agent from memory is not learned again when it comes back. */
const FROM_MEMORY = [LENT_FENCE, ...MEMORY_FENCES]

export function tellApart(text: string, marks: Marks): ToldApart {
  const whole = text.trim()
  if (isAltogether(whole, marks)) return { said: '', injected: [whole] }
  const behind = appendedAt(whole, marks)
  const { said, injected } = inFront(whole.slice(0, behind).trim(), marks)
  return { said, injected: behind < whole.length ? [...injected, whole.slice(behind)] : injected }
}

/** Where begins what was put behind it. A file that was put there may hold any line, also one that seems to end it. */
function appendedAt(text: string, { appended = [] }: Marks): number {
  const lines = appended.flatMap(line =>
    text.startsWith(line) ? [0] : [text.indexOf(`\n${line}`) + 1 || text.length],
  )
  return Math.min(text.length, ...lines)
}

function inFront(trimmed: string, marks: Marks): ToldApart {
  const { preface } = marks
  const end = preface && trimmed.startsWith(preface.begins) ? trimmed.indexOf(preface.ends) : -1
  if (!preface || end < 0) return withoutElements(trimmed, marks)
  const { said, injected } = withoutElements(trimmed.slice(end + preface.ends.length), marks)
  return { said, injected: [trimmed.slice(0, end).trim(), ...injected] }
}

function isAltogether(text: string, { messages = [], beginnings }: Marks): boolean {
  return (
    (text.startsWith('<') && messages.some(name => opensWith(text, 0, name))) ||
    beginnings.some(beginning =>
      typeof beginning === 'string' ? text.startsWith(beginning) : beginning.test(text),
    )
  )
}

function withoutElements(trimmed: string, { tags: programs }: Marks): ToldApart {
  const tags = [...FROM_MEMORY, ...programs]
  const injected: string[] = []
  const said: string[] = []
  // Once an element has no end, none of its name after it has: nothing is looked for twice.
  const endless = new Set<string>()
  let done = 0
  for (let at = trimmed.indexOf('<'); at >= 0; at = trimmed.indexOf('<', Math.max(at + 1, done))) {
    const tag = tags.find(name => opensWith(trimmed, at, name))
    if (tag === undefined || endless.has(tag)) continue
    const closing = `</${tag}>`
    const close = trimmed.indexOf(closing, at)
    if (close < 0) endless.add(tag)
    // What begins with an element that is never closed was cut short.
    if (close < 0 && at > 0) continue
    const end = close < 0 ? trimmed.length : close + closing.length
    said.push(trimmed.slice(done, at))
    injected.push(trimmed.slice(at, end))
    done = end
  }
  said.push(trimmed.slice(done))
  return { said: said.join('').trim(), injected }
}

function opensWith(text: string, at: number, tag: string): boolean {
  if (!text.startsWith(tag, at + 1)) return false
  const after = text[at + 1 + tag.length]
  return after === '>' || after === ' ' || after === '\n' || after === '/'
}
