import { z } from 'zod'
import { defineTool, type Tool } from '../tool.ts'
import { type ChangeOptions, changeFiles } from './change.ts'
import { encodeText } from './encode-text.ts'
import { linesOf } from './line-endings.ts'
import { hasLineNumbers, nearest } from './nearest.ts'
import { NoSuchFile, readForChange } from './open-file.ts'
import { shownPath, toAbsolute, toReal, touching } from './path.ts'
import { NotText, numbered } from './read.ts'
import { lineAt, type Plain, placesOf, plainOf, replaceAt } from './replacement.ts'
import { decodeText } from './text-form.ts'
import { ChangeRefused, refuseUnlessKnown, refuseUnlessWellFormed } from './write.ts'

/** Lines shown before and after what was changed. */
const AROUND = 3
const MOST_SHOWN = 40
const MOST_PLACES_TOLD = 10

export function editTool(options: ChangeOptions): Tool {
  const { workspace, seen } = options
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces a piece of a file that you have read. `old` must stand in it exactly once, to the space, without the ' +
      'line numbers of read_file: take a few lines around it if needed, or set `all` to replace every place.',
    input: z.object({
      path: z.string(),
      old: z.string().describe('what is there now'),
      new: z.string().describe('what is to be there instead'),
      all: z.boolean().optional().describe('replace every place where old stands'),
    }),
    touches: ({ path }) => touching('write', () => [toAbsolute(path, workspace)]),
    async run({ path, old, new: by, all = false }, { signal }) {
      const absolute = toAbsolute(path, workspace)
      const shown = shownPath(absolute, workspace)
      refuseUnlessWellFormed(old, by)
      const real = await toReal(absolute, shown)
      const before = await readForChange(real, shown)
      if (!before) throw new NoSuchFile(`${shown} does not exist. Create it with write_file.`)
      refuseUnlessKnown(shown, before, seen.get(real))
      const decoded = decodeText(before)
      if (!decoded) throw new NotText(`${shown} is not text; it was not changed.`)
      const edited = edit(shown, decoded.text, { old, by, all })
      const after = encodeText(edited.text, decoded.form)
      signal.throwIfAborted()
      const notes = await changeFiles([{ path: real, before, after }], options)
      const where = edited.places.length > 1 ? ` in ${edited.places.length} places` : ''
      return { text: [`Changed ${shown}${where}:`, ...edited.snippet, ...notes].join('\n') }
    },
  })
}

export interface Edit {
  old: string
  by: string
  all: boolean
}

export interface Edited {
  text: string
  places: readonly number[]
  /** The first place as it is now, with line numbers. */
  snippet: string[]
}

/** The text after an edit; throws what the model has to know when it cannot be made. */
export function edit(shown: string, raw: string, wish: Edit): Edited {
  const old = wish.old.replaceAll('\r\n', '\n')
  const by = wish.by.replaceAll('\r\n', '\n')
  if (old === '')
    throw new ChangeRefused(
      '`old` is empty. Give the text to be replaced; a whole file is written with write_file.',
    )
  if (old === by) throw new ChangeRefused('`old` and `new` are the same, so there is nothing to change.')
  const plain = plainOf(raw)
  const places = placesOf(plain, old)
  if (places.length === 0) throw new ChangeRefused(notFound(shown, plain, old))
  if (places.length > 1 && !wish.all) throw new ChangeRefused(notUnique(shown, plain, places))
  const text = replaceAt(raw, plain, places, old, by)
  return { text, places, snippet: snippet(text, lineAt(plain.text, places[0] ?? 0), by) }
}

function notUnique(shown: string, { text }: Plain, places: readonly number[]): string {
  const lines = places.slice(0, MOST_PLACES_TOLD).map(place => lineAt(text, place))
  const more = places.length > lines.length ? ' and more' : ''
  return (
    `\`old\` stands ${places.length} times in ${shown}, at lines ${lines.join(', ')}${more}. Nothing was changed. ` +
    'Take in more of the lines around it so that it stands there once, or set `all`.'
  )
}

function notFound(shown: string, { text }: Plain, old: string): string {
  return `\`old\` does not stand in ${shown}. Nothing was changed. ${advice(linesOf(text), linesOf(old))}`
}

/** What to do when lines were not found. */
export function advice(lines: readonly string[], wanted: readonly string[]): string {
  if (hasLineNumbers(wanted)) return 'It seems to contain the line numbers of read_file: leave them out.'
  const found = nearest(lines, wanted)
  if (!found) return 'Nothing like it is there. Read the file again.'
  const there = found.lines.slice(0, MOST_SHOWN).map((line, at) => numbered(found.line + at, line))
  const how = found.differs ? `What differs ${found.differs} stands at line` : 'The nearest is line'
  return `${how} ${found.line}:\n${there.join('\n')}`.toWellFormed()
}

function snippet(text: string, line: number, by: string): string[] {
  const lines = linesOf(text.toWellFormed())
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + by.split('\n').length - 1 + AROUND)
  const shown = lines.slice(first - 1, Math.min(last, first + MOST_SHOWN - 1))
  const rest = last - first + 1 - shown.length
  return [
    ...shown.map((each, at) => numbered(first + at, each)),
    ...(rest > 0 ? [`[${rest} more lines]`] : []),
  ]
}
