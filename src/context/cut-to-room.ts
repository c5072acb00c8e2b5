/** The beginning of a file that is longer than there is room for, up to the end of a line, and where the rest is. */
export function cutToRoom(text: string, most: number, path: string): string {
  if (text.length <= most) return text
  const room = text.slice(0, most)
  const line = room.lastIndexOf('\n')
  // A line end near the end; in one long line, anywhere.
  const kept = (line > most / 2 ? room.slice(0, line) : room).toWellFormed()
  return `${kept}\n[cut here for want of room: ${text.length} characters in all, in ${path}]`
}
