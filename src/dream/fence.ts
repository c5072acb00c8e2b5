/** Text between fences that it cannot close itself. */
export function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}\n${text.trim()}\n${marks}`
}
