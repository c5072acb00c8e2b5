/** What was put into a message beside the person's words: recalled memories, the time, notices. */

const BEGINNING = /<attachment\b[^>\n]{0,300}>/i
const END = '</attachment>'

export interface Separated {
  /** The text without attachments; where one was, a blank line. */
  own: string
  /** Each with its fence. */
  attachments: string[]
}

export function separated(text: string): Separated {
  const attachments: string[] = []
  let rest = text
  let own = ''
  for (let start = rest.search(BEGINNING); start >= 0; start = rest.search(BEGINNING)) {
    own += `${rest.slice(0, start)}\n\n`
    const end = rest.indexOf(END, start)
    // One that never ends is an attachment to the last letter: better deaf than deceived.
    const after = end < 0 ? rest.length : end + END.length
    attachments.push(rest.slice(start, after))
    rest = rest.slice(after)
  }
  return { own: own + rest, attachments }
}
