import { oneLine } from './entry.ts'
import { isMemoryFileName } from './name.ts'

/** A line of the index is at most this long, in UTF-16 units and so in characters too. */
export const LINE_LIMIT = 150
const NAME_LIMIT = 60

/** A bullet or a number, perhaps emphasis, then a link to a file beside the index. */
const LINE = /^\s*(?:[-*+]|\d+[.)])\s+[*_]{0,3}\[(?:\\.|[^\]\\])*\]\(<?(?:\.\/)?([^)<>]+)>?\)/

/** The memory file that a line of the index points to; undefined for every other line. */
export function fileOfLine(text: string): string | undefined {
  const [, target] = LINE.exec(text) ?? []
  if (target === undefined) return undefined
  const file = decoded(target.trim())
  return isMemoryFileName(file) && !/[/\\]/.test(file) ? file : undefined
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** `- [Name](file.md) — hook`, shortened to fit. */
export function printLine(entry: { file: string; name: string; description: string }): string {
  const name = shorten(oneLine(entry.name) || entry.file.replace(/\.md$/i, ''), NAME_LIMIT)
  const target = entry.file.replaceAll(/[\s()<>%]/g, encoded)
  const link = `- [${name.replaceAll(/[[\]\\]/g, '\\$&')}](${target})`
  const hook = oneLine(entry.description)
  if (hook === '' || link.length + 5 > LINE_LIMIT) return link
  return `${link} — ${shorten(hook, LINE_LIMIT - link.length - 3)}`
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Cut at a word where there is one near, with an ellipsis, never through a character. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  let cut = text.slice(0, limit - 1)
  if (!cut.isWellFormed()) cut = cut.slice(0, -1)
  const space = cut.lastIndexOf(' ')
  return `${(space > limit * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`
}
