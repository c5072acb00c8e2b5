import { parseMarkedPatch } from './marked-patch.ts'
import { BadPatch, type FilePatch } from './patch-form.ts'
import { parseUnifiedDiff } from './unified-diff.ts'

/** Reads either form of patch; says what is wrong with one that is neither. */
export function parsePatch(patch: string): FilePatch[] {
  const lines = unfenced(patch.replaceAll('\r\n', '\n').split('\n'))
  if (lines.some(line => line.trim() === '*** Begin Patch')) return parseMarkedPatch(lines)
  if (lines.some((line, at) => line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')))
    return parseUnifiedDiff(lines)
  if (lines.some(line => /^(diff --git|rename from) /.test(line))) return parseUnifiedDiff(lines)
  throw new BadPatch(
    'This is not a patch. It begins with "*** Begin Patch" and ends with "*** End Patch", or is a unified diff with "---" and "+++" lines.',
  )
}

/** Models like to put a patch into a code block. */
function unfenced(lines: readonly string[]): string[] {
  const text = lines.filter(line => line.trim() !== '')
  const fenced = text[0]?.startsWith('```') && text.at(-1)?.trim() === '```'
  return fenced
    ? lines.slice(lines.indexOf(text[0] ?? '') + 1, lines.lastIndexOf(text.at(-1) ?? ''))
    : [...lines]
}
