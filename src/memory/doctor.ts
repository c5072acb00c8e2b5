import { fileNameProblem } from '../store/index.ts'
import type { MemoryHead } from './catalogue.ts'
import { type Desk, derive, settle } from './desk.ts'
import { INDEX_BYTES, INDEX_LINES, splitLines } from './index-file.ts'
import { fileOfLine, LINE_LIMIT, printLine } from './index-line.ts'
import { INDEX_FILE, nameKey } from './name.ts'
import { type FoundSecret, findSecrets } from './secrets.ts'
import type { Scope, Shelf } from './shelf.ts'

export type ProblemKind =
  | 'no-frontmatter'
  | 'malformed-frontmatter'
  | 'invalid-type'
  | 'unreadable'
  | 'symlink-out'
  | 'dangling-index-line'
  | 'missing-index-line'
  | 'stale-index-line'
  | 'long-index-line'
  | 'index-over-cap'
  | 'duplicate-name'
  | 'case-collision'
  | 'secret'

export interface Problem {
  kind: ProblemKind
  file: string
  scope: Scope
  detail: string
}

export interface Diagnosis {
  ok: boolean
  /** What is wrong and still is. */
  problems: Problem[]
  /** What was wrong and has been mended. */
  fixed: Problem[]
  warnings: string[]
}

/** What can be mended without deciding anything: the index follows from the files. */
const FIXABLE = new Set<ProblemKind>([
  'dangling-index-line',
  'missing-index-line',
  'stale-index-line',
  'long-index-line',
  'index-over-cap',
])

export interface DoctorOptions {
  /** Mend what is safe to mend. */
  fix?: boolean
  /** Look for secrets, which reads every file; true unless told. */
  secrets?: boolean
}

/** Finds everything that is wrong with the memories; with `fix`, mends what is safe to mend. */
export async function diagnose(
  desk: Desk,
  { fix = false, secrets = true }: DoctorOptions = {},
): Promise<Diagnosis> {
  await desk.catalogue.refresh()
  const before = await findProblems(desk, secrets)
  if (!fix || !before.some(({ kind }) => FIXABLE.has(kind)))
    return { ok: before.length === 0, problems: before, fixed: [], warnings: [] }
  const warnings: string[] = []
  for (const shelf of desk.shelves) {
    if (before.some(({ kind, scope }) => scope === shelf.scope && FIXABLE.has(kind)))
      warnings.push(...(await mendIndex(desk, shelf)))
  }
  await desk.catalogue.refresh()
  const problems = await findProblems(desk, secrets)
  const left = new Set(problems.map(problem => JSON.stringify(problem)))
  const fixed = before.filter(problem => !left.has(JSON.stringify(problem)))
  return { ok: problems.length === 0, problems, fixed, warnings }
}

async function findProblems(desk: Desk, lookForSecrets: boolean): Promise<Problem[]> {
  const heads = desk.catalogue.heads()
  const problems: Problem[] = desk.catalogue
    .problems()
    .map(({ scope, file, kind, detail }) => ({ kind, file, scope, detail }))
  for (const shelf of desk.shelves) {
    const own = heads.filter(({ scope }) => scope === shelf.scope)
    problems.push(
      ...(await indexProblems(desk, shelf, own)),
      ...duplicates(shelf.scope, own),
      ...caseCollisions(shelf.scope, [...desk.catalogue.files(shelf.scope)]),
      ...(lookForSecrets ? await secretProblems(desk, shelf) : []),
    )
  }
  return problems
}

async function indexProblems(desk: Desk, shelf: Shelf, heads: readonly MemoryHead[]): Promise<Problem[]> {
  const { scope } = shelf
  const stored = await shelf.read(INDEX_FILE)
  if (stored && 'unreadable' in stored)
    return [{ kind: stored.kind, file: INDEX_FILE, scope, detail: stored.unreadable }]
  const text = stored?.text ?? ''
  const lines = splitLines(text)
  const { dropped, demoted } = derive(desk, scope, text)
  const noRoom = new Set([...demoted, ...lines.map(fileOfLine)])
  const ours = desk.catalogue.ownLines(scope)
  const found = (kind: ProblemKind, file: string, detail: string): Problem => ({ kind, file, scope, detail })
  return [
    ...dropped.map(({ file }) =>
      found('dangling-index-line', file, `${INDEX_FILE} names ${file}, which does not exist`),
    ),
    ...heads
      .filter(({ file }) => !noRoom.has(file))
      .map(({ file }) =>
        found('missing-index-line', file, `${INDEX_FILE} has room for ${file} and does not name it`),
      ),
    ...heads
      .filter(head => ours.has(head.file) && ours.get(head.file) !== printLine(head))
      .map(({ file }) =>
        found('stale-index-line', file, `${INDEX_FILE} says of ${file} what it said before it was changed`),
      ),
    ...lines
      .filter(line => isTooLong(line, heads))
      .map(line => {
        const detail = `its line in ${INDEX_FILE} has ${line.length} characters; ${LINE_LIMIT} are the most`
        return found('long-index-line', fileOfLine(line) ?? '', detail)
      }),
    ...(lines.length > INDEX_LINES || Buffer.byteLength(text) > INDEX_BYTES
      ? [
          found(
            'index-over-cap',
            INDEX_FILE,
            `it has ${lines.length} lines and ${Buffer.byteLength(text)} bytes; ${INDEX_LINES} and ${INDEX_BYTES} are loaded`,
          ),
        ]
      : []),
  ]
}

/** A file's name alone may be too long for the limit; then the shortest line there can be is not. */
function isTooLong(line: string, heads: readonly MemoryHead[]): boolean {
  const file = fileOfLine(line)
  if (file === undefined || line.length <= LINE_LIMIT) return false
  return (
    line.length >
    printLine(heads.find(head => head.file === file) ?? { file, name: file, description: '' }).length
  )
}

function duplicates(scope: Scope, heads: readonly MemoryHead[]): Problem[] {
  const groups = Map.groupBy(heads, ({ type, name }) => `${type} ${nameKey(name)}`)
  return [...groups.values()].flatMap(same =>
    same.slice(1).map(({ file, name }): Problem => {
      return { kind: 'duplicate-name', file, scope, detail: `"${name}" is also the name of ${same[0]?.file}` }
    }),
  )
}

function caseCollisions(scope: Scope, files: readonly string[]): Problem[] {
  const groups = Map.groupBy(files, file => file.toLowerCase())
  return [...groups.values()].flatMap(same =>
    same.slice(1).map((file): Problem => {
      return {
        kind: 'case-collision',
        file,
        scope,
        detail: `it differs from ${same[0]} only in case, and some systems keep just one of them`,
      }
    }),
  )
}

/** In every file, memory or not, and in the index, which goes into every prompt. */
async function secretProblems(desk: Desk, shelf: Shelf): Promise<Problem[]> {
  const problems: Problem[] = []
  const files = [...desk.catalogue.files(shelf.scope)].filter(file => fileNameProblem(file) === undefined)
  for (const file of [...files, INDEX_FILE]) {
    const stored = await shelf.read(file)
    const found = stored && 'text' in stored ? await findSecrets(stored.text) : []
    if (found.length > 0)
      problems.push({ kind: 'secret', file, scope: shelf.scope, detail: foundSecrets(found) })
  }
  return problems
}

function foundSecrets(found: readonly FoundSecret[]): string {
  return found.map(({ kind, line }) => `${kind} on line ${line}`).join(', ')
}

/** Drops what dangles, adds what is missing, shortens what is too long. */
async function mendIndex(desk: Desk, shelf: Shelf): Promise<string[]> {
  await desk.prepare()
  return shelf.exclusively(async () => {
    const stored = await shelf.read(INDEX_FILE)
    if (stored && 'unreadable' in stored) return [`${INDEX_FILE} cannot be read: ${stored.unreadable}.`]
    const heads = new Map(
      desk.catalogue
        .heads()
        .filter(({ scope }) => scope === shelf.scope)
        .map(head => [head.file, head]),
    )
    const before = stored?.text ?? ''
    const shortened = before.replaceAll(/^.*$/gm, line => {
      const head = heads.get(fileOfLine(line) ?? '')
      return head && line.length > LINE_LIMIT ? printLine(head) : line
    })
    if (shortened !== before) await shelf.write(INDEX_FILE, shortened, stored?.version ?? null)
    const changes = shortened === before ? [] : [{ file: INDEX_FILE, before, after: shortened }]
    const { warnings } = await settle(desk, shelf, {
      message: 'Mend the index',
      kind: 'doctor',
      by: 'Owner',
      changes,
    })
    await shelf.tidy()
    return warnings
  })
}
