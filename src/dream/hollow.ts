/** What has hardly a letter left of what it said was removed, whatever it is called. */
import { parseEntry } from '../memory/index.ts'

/** Less of its letters than this share is next to nothing. */
export const HOLLOW_SHARE = 0.25

/** Whether hardly anything of a memory's body is left. */
export function isHollowed(before: string, after: string): boolean {
  const [was, is] = [parseEntry(before), parseEntry(after)]
  return was.ok && is.ok && lettersIn(is.entry.body) < lettersIn(was.entry.body) * HOLLOW_SHARE
}

export function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
