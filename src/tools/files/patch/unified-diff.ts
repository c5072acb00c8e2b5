/** Plain unified diffs, as of `diff -u` and git. */
import { BadPatch, type FilePatch, type Hunk, type HunkLine, hunkLine } from './patch-form.ts'

const RANGE = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const NO_NEWLINE = /^\\ /

export function parseUnifiedDiff(lines: readonly string[]): FilePatch[] {
  const patches: FilePatch[] = []
  let at = 0
  let renamed: { from?: string; to?: string } = {}
  const flushRename = () => {
    if (renamed.from && renamed.to)
      patches.push({ kind: 'update', path: renamed.from, moveTo: renamed.to, hunks: [] })
    renamed = {}
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.startsWith('diff --git ')) flushRename()
    if (line.startsWith('Binary files ') || line === 'GIT binary patch')
      throw new BadPatch('The patch contains a binary file, which cannot be patched. Nothing was changed.')
    if (line.startsWith('rename from ')) renamed.from = line.slice('rename from '.length)
    if (line.startsWith('rename to ')) renamed.to = line.slice('rename to '.length)
    if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) {
      const [from, to] = [fileName(line), fileName(lines[at + 1] ?? '')]
      const read = readHunks(lines, at + 2)
      at = read.next
      patches.push(toFilePatch(from, to, read.hunks))
      renamed = {}
    } else at++
  }
  flushRename()
  if (patches.length === 0) throw new BadPatch('The patch changes no file.')
  return patches
}

function toFilePatch(from: string | undefined, to: string | undefined, hunks: readonly Hunk[]): FilePatch {
  if (from === undefined && to === undefined)
    throw new BadPatch('A part of the patch is from /dev/null to /dev/null.')
  if (from === undefined) {
    const added = hunks.flatMap(({ lines }) => lines)
    const endsWithNewline = hunks.at(-1)?.endsWithNewline ?? true
    return {
      kind: 'add',
      path: withoutPrefix(to ?? '', 'b/'),
      lines: added.map(({ text }) => text),
      endsWithNewline,
    }
  }
  if (to === undefined) return { kind: 'delete', path: withoutPrefix(from, 'a/'), hunks }
  const gitStyle = from.startsWith('a/') && to.startsWith('b/')
  const [path, target] = gitStyle ? [from.slice(2), to.slice(2)] : [from, to]
  if (hunks.length === 0) throw new BadPatch(`The patch says nothing about how to change ${path}.`)
  // `diff -u old.ts new.ts` compares two files; the second is the one that is meant, unless git says it was moved.
  if (!gitStyle) return { kind: 'update', path: target, hunks }
  return { kind: 'update', path, hunks, ...(target !== path && { moveTo: target }) }
}

/** Undefined for /dev/null. */
function fileName(line: string): string | undefined {
  const name = (line.slice(4).split('\t')[0] ?? '').trim().replace(/^"(.*)"$/, '$1')
  return name === '/dev/null' ? undefined : name
}

function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}

function readHunks(lines: readonly string[], from: number): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = []
  let next = from
  for (let range = RANGE.exec(lines[next] ?? ''); range; range = RANGE.exec(lines[next] ?? '')) {
    const read = readHunk(lines, next + 1, range)
    hunks.push(read.hunk)
    next = read.next
  }
  if (lines[next]?.startsWith('@@'))
    throw new BadPatch(`"${lines[next]}" is not of the form "@@ -line,count +line,count @@".`)
  return { hunks, next }
}

/** By the counts if they are right, else up to the next header: models often count wrongly. */
function readHunk(
  lines: readonly string[],
  from: number,
  range: RegExpExecArray,
): { hunk: Hunk; next: number } {
  const read: HunkLine[] = []
  let at = from
  let endsWithNewline: boolean | undefined
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (NO_NEWLINE.test(line)) {
      const kind = read.at(-1)?.kind
      if (kind !== 'remove') endsWithNewline = false
      else endsWithNewline ??= true
      continue
    }
    if (isHeader(lines, at)) break
    const each = hunkLine(line)
    if (!each) break
    read.push(each)
  }
  // Empty lines between this and what follows belong to neither, unless they were counted.
  const counted = Number(range[2] ?? 1)
  while (
    read.at(-1)?.text === '' &&
    read.at(-1)?.kind === 'keep' &&
    lines[at - 1] === '' &&
    tooMany(read, counted)
  ) {
    read.pop()
    at--
  }
  const line = Number(range[1])
  return {
    hunk: {
      headings: [],
      line,
      lines: read,
      atEnd: false,
      ...(endsWithNewline !== undefined && { endsWithNewline }),
    },
    next: skipEmpty(lines, at),
  }
}

function tooMany(read: readonly HunkLine[], counted: number): boolean {
  return read.filter(({ kind }) => kind !== 'add').length > counted
}

function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.startsWith('@@') || line.startsWith('diff --git ')) return true
  return line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true
}

function skipEmpty(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at] === '') at++
  return at
}
