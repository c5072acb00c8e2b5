import { z } from 'zod'
import { contentHash, ReverieError } from '../../store/index.ts'
import { defineTool, type Tool } from '../tool.ts'
import { type ChangeOptions, changeFiles } from './change.ts'
import { encodeText } from './encode-text.ts'
import { endingsOf, linesOf, withEnding } from './line-endings.ts'
import { readForChange } from './open-file.ts'
import { shownPath, toAbsolute, toReal, touching } from './path.ts'
import { count } from './read.ts'
import type { Seen } from './seen.ts'
import { decodeText, PLAIN_FORM, type TextForm } from './text-form.ts'

/** It cannot be done this way; the sentence says in which way it can. */
export class ChangeRefused extends ReverieError {}

export function writeTool(options: ChangeOptions): Tool {
  const { workspace, seen } = options
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole file, with the directories it needs. A file that exists must have been read whole before; ' +
      'to change a part of it, use edit_file.',
    input: z.object({ path: z.string(), content: z.string() }),
    touches: ({ path }) => touching('write', () => [toAbsolute(path, workspace)]),
    async run({ path, content }, { signal }) {
      const absolute = toAbsolute(path, workspace)
      const shown = shownPath(absolute, workspace)
      refuseUnlessWellFormed(content)
      const real = await toReal(absolute, shown)
      const before = (await readForChange(real, shown)) ?? null
      if (before) refuseUnlessKnown(shown, before, seen.get(real), { whole: true })
      const { bytes, kept } = inFormOf(before, content)
      if (before?.equals(bytes))
        throw new ChangeRefused(`${shown} already has exactly this content. Nothing was written.`)
      signal.throwIfAborted()
      const notes = await changeFiles([{ path: real, before, after: bytes, whole: true }], options)
      const lines = count(linesOf(content).length, 'line')
      const done = before ? `Wrote ${shown} anew, ${lines}.` : `Created ${shown}, ${lines}.`
      return { text: [done, ...kept, ...notes].join(' ') }
    },
  })
}

/** A lone surrogate would stand for a byte that is not there. */
export function refuseUnlessWellFormed(...texts: readonly string[]): void {
  if (!texts.every(text => text.isWellFormed()))
    throw new ChangeRefused('The text contains half of a character (a lone surrogate). Nothing was written.')
}

/** Nobody overwrites what they have not seen. */
export function refuseUnlessKnown(
  shown: string,
  content: Buffer,
  seen: Seen | undefined,
  { whole = false } = {},
): void {
  if (!seen)
    throw new ChangeRefused(`${shown} exists and you have not read it. Read it first, then change it.`)
  if (seen.hash !== contentHash(content))
    throw new ChangeRefused(`${shown} was changed since you read it. Read it again, then change it.`)
  if (whole && !seen.whole)
    throw new ChangeRefused(
      `You have read only a part of ${shown}. Read the rest before you replace all of it, or change the part with edit_file.`,
    )
}

/** The content in the encoding and with the line endings that the file has. */
function inFormOf(before: Buffer | null, content: string): { bytes: Buffer; kept: string[] } {
  const marked = content.startsWith('\ufeff')
  const text = marked ? content.slice(1) : content
  const old = before && before.length > 0 ? decodeText(before) : undefined
  if (!old) return { bytes: encodeText(text, { ...PLAIN_FORM, bom: marked }), kept: [] }
  const [had, has] = [endingsOf(old.text), endingsOf(text)]
  const changes = (had === '\n' || had === '\r\n') && (has === '\n' || has === '\r\n') && had !== has
  const ended = changes ? withEnding(text, had) : text
  const kept = changes ? [`Its line endings stay ${had === '\n' ? 'LF' : 'CRLF'}.`] : []
  const form: TextForm = { ...old.form, bom: old.form.bom || marked }
  if (form.encoding === 'Latin-1' && /[^\u0000-\u00ff]/u.test(ended))
    return {
      bytes: encodeText(ended, PLAIN_FORM),
      kept: [...kept, 'It was in Latin-1, which cannot hold this text, and is in UTF-8 now.'],
    }
  if (form.encoding !== 'UTF-8') kept.push(`Its encoding stays ${form.encoding}.`)
  return { bytes: encodeText(ended, form), kept }
}
