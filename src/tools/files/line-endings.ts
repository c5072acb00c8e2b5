/** Lines and what ends them. A model sees and says `\n`; a file keeps what it has. */

export type Ending = '\n' | '\r\n'
export type Endings = Ending | 'mixed' | 'none'

export function endingsOf(text: string): Endings {
  const all = count(text, '\n')
  const withReturn = count(text, '\r\n')
  if (all === 0) return 'none'
  if (withReturn === 0) return '\n'
  return withReturn === all ? '\r\n' : 'mixed'
}

/** What a new line in this text ends with. */
export function usualEnding(text: string): Ending {
  return count(text, '\r\n') * 2 > count(text, '\n') ? '\r\n' : '\n'
}

export function withEnding(text: string, ending: Ending): string {
  const plain = text.replaceAll('\r\n', '\n')
  return ending === '\n' ? plain : plain.replaceAll('\n', '\r\n')
}

/** The lines of a text, without what ends them; none of an empty one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

function count(text: string, what: string): number {
  let found = 0
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) found++
  return found
}
