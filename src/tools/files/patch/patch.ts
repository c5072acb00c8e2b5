import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { contentHash } from '../../../store/index.ts'
import { defineTool, type Tool } from '../../tool.ts'
import { type ChangeOptions, changeFiles, type FileChange } from '../change.ts'
import { advice } from '../edit.ts'
import { encodeText } from '../encode-text.ts'
import { linesOf } from '../line-endings.ts'
import { NoSuchFile, readForChange } from '../open-file.ts'
import { shownPath, toAbsolute, toReal, touching } from '../path.ts'
import { NotText } from '../read.ts'
import { decodeText, PLAIN_FORM } from '../text-form.ts'
import { ChangeRefused, refuseUnlessKnown, refuseUnlessWellFormed } from '../write.ts'
import { applyHunks } from './apply-hunks.ts'
import { parsePatch } from './parse-patch.ts'
import { BadPatch, type FilePatch, oldLines } from './patch-form.ts'

const DESCRIPTION = `Changes several places or several files at once: all of it, or nothing. The patch is

*** Begin Patch
*** Update File: path
*** Move to: new path, if it is to be moved
@@ a line that stands above the place, such as a function's first; may be left out
 a line that stays, exactly as it is there
-a line that goes
+a line that comes
*** Add File: path
+every line of it
*** Delete File: path
*** End Patch

or a unified diff. Give about three lines that stay around each change; they must fit in exactly one place.`

export function patchTool(options: ChangeOptions): Tool {
  const { workspace } = options
  return defineTool({
    name: 'apply_patch',
    description: DESCRIPTION,
    input: z.object({ patch: z.string() }),
    touches: ({ patch }) =>
      touching('write', () => pathsIn(parsePatch(patch)).map(path => toAbsolute(path, workspace))),
    async run({ patch }, { signal }) {
      refuseUnlessWellFormed(patch)
      const files = parsePatch(patch)
      const planned: Planned[] = []
      for (const file of files) planned.push(await plan(file, options))
      refuseDoubles(planned, options)
      signal.throwIfAborted()
      const notes = await changeFiles(
        planned.flatMap(({ changes }) => changes),
        options,
      )
      return { text: [...planned.map(({ told }) => told), ...notes].join('\n') }
    },
  })
}

function pathsIn(files: readonly FilePatch[]): string[] {
  return files.flatMap(file => ('moveTo' in file && file.moveTo ? [file.path, file.moveTo] : [file.path]))
}

interface Planned {
  changes: FileChange[]
  told: string
}

function refuseDoubles(planned: readonly Planned[], { workspace }: ChangeOptions): void {
  const paths = planned.flatMap(({ changes }) => changes.map(({ path }) => path))
  const twice = paths.find((path, at) => paths.indexOf(path) !== at)
  if (twice !== undefined)
    throw new BadPatch(
      `${shownPath(twice, workspace)} stands in the patch twice. Put all of its changes below one header.`,
    )
}

async function plan(file: FilePatch, options: ChangeOptions): Promise<Planned> {
  const place = await locate(file.path, options)
  const before = await readForChange(place.real, place.shown)
  if (file.kind === 'add') {
    if (before)
      throw new ChangeRefused(`${place.shown} exists already, so it cannot be added. Nothing was changed.`)
    const ending = file.endsWithNewline && file.lines.length > 0 ? '\n' : ''
    const after = encodeText(file.lines.join('\n') + ending, PLAIN_FORM)
    return {
      changes: [{ path: place.real, before: null, after, whole: true }],
      told: `Created ${place.shown}.`,
    }
  }
  if (!before) throw new NoSuchFile(`${place.shown} does not exist. Nothing was changed.`)
  if (file.kind === 'delete') {
    if (!isWhole(before, file)) refuseUnlessKnown(place.shown, before, options.seen.get(place.real))
    const mode = await modeOf(place.real)
    return { changes: [{ path: place.real, before, after: null, mode }], told: `Deleted ${place.shown}.` }
  }
  return planUpdate(file, place, before, options)
}

/** A diff that deletes a file shows all of it. */
function isWhole(
  before: Buffer,
  { hunks }: { hunks: Extract<FilePatch, { kind: 'delete' }>['hunks'] },
): boolean {
  const removed = hunks.flatMap(oldLines)
  const text = decodeText(before)?.text
  if (text === undefined || hunks.length === 0) return false
  const lines = linesOf(text)
  return lines.length === removed.length && lines.every((line, at) => line === removed[at])
}

async function planUpdate(
  file: Extract<FilePatch, { kind: 'update' }>,
  { real, shown }: Place,
  before: Buffer,
  options: ChangeOptions,
): Promise<Planned> {
  // Lines that fit show that they were seen; where there are none, it must have been read.
  if (!file.hunks.some(hunk => oldLines(hunk).length > 0))
    refuseUnlessKnown(shown, before, options.seen.get(real))
  const decoded = decodeText(before)
  if (!decoded) throw new NotText(`${shown} is not text. Nothing was changed.`)
  const text = applyHunks(shown, decoded.text, file.hunks, advice)
  const after = encodeText(text, decoded.form)
  if (file.moveTo === undefined) {
    if (after.equals(before)) throw new ChangeRefused(`The patch changes nothing in ${shown}.`)
    return { changes: [{ path: real, before, after }], told: `Changed ${shown}.` }
  }
  const target = await locate(file.moveTo, options)
  if (await readForChange(target.real, target.shown))
    throw new ChangeRefused(
      `${target.shown} exists already, so ${shown} cannot be moved there. Nothing was changed.`,
    )
  const mode = await modeOf(real)
  const whole = options.seen.get(real)?.hash === contentHash(before) && options.seen.get(real)?.whole === true
  return {
    changes: [
      { path: target.real, before: null, after, mode, whole },
      { path: real, before, after: null, mode },
    ],
    told: `Moved ${shown} to ${target.shown}${file.hunks.length > 0 ? ' and changed it' : ''}.`,
  }
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o7777
}

interface Place {
  real: string
  shown: string
}

async function locate(path: string, { workspace }: ChangeOptions): Promise<Place> {
  const absolute = toAbsolute(path, workspace)
  const shown = shownPath(absolute, workspace)
  return { real: await toReal(absolute, shown), shown }
}
