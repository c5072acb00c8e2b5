const TITLE_LENGTH = 80

/** What a conversation is called until somebody names it: how it began, on one line. */
export function titleFrom(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= TITLE_LENGTH
    ? line
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}
